import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

type Value = number | string | null;

/** One line of a table. */
export interface Line {
  what: string;
  /** By the names of the columns, which include units. */
  values: Record<string, Value>;
  /** The requirement for one of the values. */
  demanded?: { of: string; atMost?: number; atLeast?: number };
  note?: string;
}

interface Table {
  part: string;
  title: string;
  /** Load of the machine over the last minute, the bench included, to judge the figures by. */
  loadAverage: number;
  lines: Line[];
}

/** Collects the measurements: prints aligned tables at once, and writes a JSON file. */
export class Report {
  private readonly tables: Table[] = [];
  private readonly failures: string[] = [];
  private readonly file: string | null;

  constructor(file: string | null) {
    this.file = file;
  }

  table(part: string, title: string, lines: Line[]): void {
    const loadAverage = loadavg()[0] ?? 0;
    this.tables.push({ part, title, loadAverage, lines });
    const load = `load ${loadAverage.toFixed(1)} on ${availableParallelism()} processors`;
    console.log(`\n${part}: ${title} (${load})\n${aligned(lines)}`);
    this.save();
  }

  /** A failure other than a figure that misses its requirement. */
  failure(part: string, message: string): void {
    this.failures.push(`${part}: ${message}`);
    console.log(`\n${part}: ${message}`);
    this.save();
    process.exitCode = 1;
  }

  progress(text: string): void {
    console.log(`  ... ${text}`);
  }

  private save(): void {
    if (!this.file) return;
    const { tables, failures } = this;
    writeFileSync(
      this.file,
      `${JSON.stringify({ measuredAt: new Date().toISOString(), tables, failures }, null, 2)}\n`,
    );
  }
}

function aligned(lines: Line[]): string {
  const columns = [...new Set(lines.flatMap((line) => Object.keys(line.values)))];
  const isJudged = lines.some((line) => line.demanded);
  const header = ['', ...columns, ...(isJudged ? ['demanded', ''] : [])];
  const body = lines.map((line) => [
    line.what,
    ...columns.map((column) => shown(line.values[column] ?? null)),
    ...(isJudged ? [demandOf(line), verdictOf(line)] : []),
    ...(line.note ? [line.note] : []),
  ]);
  const cells = [header, ...body];
  const widths = header.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const aligning = (row: string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return cells.map((row) => `  ${aligning(row).trimEnd()}`).join('\n');
}

function shown(value: Value): string {
  if (value === null) return '-';
  if (typeof value === 'string') return value;
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function demandOf({ demanded }: Line): string {
  if (!demanded) return '';
  const bound = demanded.atMost === undefined ? `>= ${demanded.atLeast}` : `<= ${demanded.atMost}`;
  return `${demanded.of} ${bound}`;
}

function verdictOf({ demanded, values }: Line): string {
  if (!demanded) return '';
  const value = values[demanded.of];
  if (typeof value !== 'number') return 'unknown';
  const holds = value <= (demanded.atMost ?? Number.POSITIVE_INFINITY) && value >= (demanded.atLeast ?? 0);
  return holds ? 'holds' : 'MISSED';
}
