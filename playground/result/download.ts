const SVG = 'http://www.w3.org/2000/svg';
/** Pixels of a PNG for each pixel of its drawing. */
const SHARPNESS = 2;
const LINE = 20;
const SWATCH = 14;
const LETTER = 7;

/** Gives a file to whoever uses the page. */
export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Returns a name for a file, from that of a report: letters, digits and hyphens. */
export const fileName = (name: string, end: string): string =>
  `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'answer'}.${end}`;

/**
 * Returns a drawing as SVG that stands alone: colours are as they are seen, and the legend is part of
 * it.
 */
export function svgOf(drawing: Element): string {
  const { svg, width, height } = standalone(drawing);
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(svg);
}

/** Returns a drawing as PNG, twice as sharp as it is seen. */
export async function pngOf(drawing: Element): Promise<Blob> {
  const { width, height } = standalone(drawing);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(drawing))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture was made.')))),
  );
}

function standalone(drawing: Element): { svg: SVGElement; width: number; height: number } {
  const plots = drawing.matches('svg') ? [drawing] : [...drawing.querySelectorAll(':scope > svg')];
  const chart = plots.at(-1);
  if (!chart) throw new Error('Nothing is drawn.');
  const style = getComputedStyle(drawing);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('xmlns', SVG);
  const mark = style.getPropertyValue('--care-mark').trim();
  const [paper] = [style.getPropertyValue('--care-paper').trim() || '#fff'];
  svg.setAttribute('style', `color:${style.color};--care-mark:${mark};font:12px sans-serif`);
  const width = Number(chart.getAttribute('width'));
  const legend = swatches(drawing, width);
  let height = legend.height;
  svg.append(rect(paper), legend.part);
  for (const plot of plots) {
    const copy = plot.cloneNode(true) as Element;
    copy.setAttribute('y', String(height));
    svg.append(copy);
    height += Number(plot.getAttribute('height'));
  }
  return { svg, width, height };
}

function rect(fill: string, size = '100%'): SVGElement {
  const paper = document.createElementNS(SVG, 'rect');
  paper.setAttribute('width', size);
  paper.setAttribute('height', size);
  paper.setAttribute('fill', fill);
  return paper;
}

/** The legend of colours, which is drawn as HTML on the page. */
function swatches(drawing: Element, width: number): { part: SVGElement; height: number } {
  const part = document.createElementNS(SVG, 'g');
  const items = [...drawing.querySelectorAll('[class*="-swatch"] svg')];
  let [x, y] = [8, 8];
  for (const item of items) {
    const text = item.parentElement?.textContent ?? '';
    const wide = SWATCH + 22 + text.length * LETTER;
    if (x + wide > width) [x, y] = [8, y + LINE];
    const box = rect(item.getAttribute('fill') ?? 'currentColor', String(SWATCH));
    const label = document.createElementNS(SVG, 'text');
    label.textContent = text;
    label.setAttribute('fill', 'currentColor');
    for (const [element, dx, dy] of [
      [box, 0, 0],
      [label, SWATCH + 6, 12],
    ] as const) {
      element.setAttribute('x', String(x + dx));
      element.setAttribute('y', String(y + dy));
    }
    part.append(box, label);
    x += wide;
  }
  return { part, height: items.length > 0 ? y + LINE + 4 : 0 };
}
