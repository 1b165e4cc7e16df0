import type { Table } from '../../src/platform/pictures/table.js';
import { csvOf } from './csv.js';
import { fileName, pngOf, save, svgOf } from './download.js';

interface DownloadsProps {
  readonly table: Table;
  /** What is drawn, if anything is. */
  readonly drawing: Element | undefined;
  /** Name of the file, without its end. */
  readonly title: string;
}

/** Buttons that give the rows as CSV and what is drawn as picture. */
export function Downloads({ table, drawing, title }: DownloadsProps) {
  const give = (end: string, type: string, content: BlobPart) =>
    save(fileName(title, end), new Blob([content], { type }));
  return (
    <span className="care-downloads">
      <button type="button" onClick={() => give('csv', 'text/csv;charset=utf-8', csvOf(table))}>
        Download CSV
      </button>
      {drawing && (
        <>
          <button
            type="button"
            onClick={async () => save(fileName(title, 'png'), await pngOf(drawing))}
          >
            PNG
          </button>
          <button type="button" onClick={() => give('svg', 'image/svg+xml', svgOf(drawing))}>
            SVG
          </button>
        </>
      )}
    </span>
  );
}
