/** Paths of fields have fewer levels. */
const LEVELS = 16;

/** Returns the paths above a path such as `title.rendered`, at most 16: here `title`. */
export function pathsAbove(path: string): string[] {
  const paths: string[] = [];
  for (
    let end = path.indexOf('.');
    end >= 0 && paths.length < LEVELS;
    end = path.indexOf('.', end + 1)
  )
    paths.push(path.slice(0, end));
  return paths;
}
