/** The result of one suite. */
export interface Report {
  suite: string;
  /** For example `33 scenarios`. */
  ran: string;
  passed: number;
  expected: number;
  /** Unexpected results; may span lines. Empty: success. */
  problems: string[];
  /** Not failures. */
  notes?: string[];
}

const COLUMNS = ['Suite', 'Ran', 'Passed', 'Expected failures', 'Unexpected'] as const;

/** A table, the notes, and every distinct problem with its suites. */
export function summarize(reports: readonly Report[]): string {
  const notes = reports.flatMap(({ suite, notes = [] }) => notes.map((note) => `${suite}: ${note}`));
  const problems = new Set(reports.flatMap(({ problems }) => problems));
  const bySuites = Map.groupBy(problems, (problem) => suitesWith(problem, reports));
  const details = Array.from(bySuites, ([suites, problems]) => [suites, ...problems.map(asItem)].join('\n'));
  return [table(reports), notes.join('\n'), ...details].filter(Boolean).join('\n\n');
}

function suitesWith(problem: string, reports: readonly Report[]): string {
  return reports
    .filter(({ problems }) => problems.includes(problem))
    .map(({ suite }) => suite)
    .join('; ');
}

function asItem(problem: string): string {
  return `  ✗ ${problem.replaceAll('\n', '\n    ')}`;
}

function table(reports: readonly Report[]): string {
  const rows = [
    COLUMNS,
    ...reports.map(({ suite, ran, passed, expected, problems }) => [suite, ran, passed, expected, problems.length]),
  ].map((row) => row.map(String));
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  ')).join('\n');
}

/** The first two columns are text, the others numbers. */
function pad(cell: string, width: number, column: number): string {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width);
}
