import type { PageBytes } from '../../../core/analytics/events/query-plan.ts';

/** The first lines that fit, but one at least. */
export function withinPage<Line>(
  lines: readonly Line[],
  page: PageBytes | undefined,
  bytesOf: (line: Line) => number,
): readonly Line[] {
  if (page === undefined) return lines;
  let bytes = 0;
  const end = lines.findIndex((line, index) => {
    bytes += bytesOf(line) + page.ofRow;
    return index > 0 && bytes > page.bytes;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
