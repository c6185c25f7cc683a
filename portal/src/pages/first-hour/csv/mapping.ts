import { ColumnJudge } from '../../../../../src/importing/column-judge.ts';
import { type ColumnDecision, type ColumnType, cellValue } from '../../../../../src/importing/columns.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { type CsvRow, csvRows, delimiterOf } from './records.ts';
import { type TimeFormat, TimeJudge, timeOf } from './times.ts';

/** A column becomes a field of the event, a property of a type, or nothing. */
export const ROLES = [
  { value: 'eventName', label: t('Event name') },
  { value: 'timestamp', label: t('Time') },
  { value: 'threadId', label: t('Thread') },
  { value: 'id', label: t('Event id') },
  { value: 'executionId', label: t('Execution') },
  { value: 'agentId', label: t('Agent') },
  { value: 'text', label: t('Property: text') },
  { value: 'number', label: t('Property: number') },
  { value: 'number-point', label: t('Property: number, 1,234.5') },
  { value: 'number-comma', label: t('Property: number, 1.234,5') },
  { value: 'boolean', label: t('Property: true or false') },
  { value: 'none', label: t('Leave out') },
] as const;
export type Role = (typeof ROLES)[number]['value'];

const FIELDS = ['eventName', 'timestamp', 'threadId', 'id', 'executionId', 'agentId'] as const;
type Field = (typeof FIELDS)[number];

export interface CsvColumn {
  name: string;
  role: Role;
  /** Why it is a number, or a text although it looks like numbers. */
  reason?: string;
  /** The formats that its times may have; none for another column. */
  formats: TimeFormat[];
}

export interface CsvTable {
  delimiter: string;
  columns: CsvColumn[];
  /** The first rows, as they are written. */
  first: string[][];
  rows: number;
  /** Why it cannot be imported. */
  problem?: string;
}

export interface Mapping {
  roles: Role[];
  /** For a table without a column of names. */
  eventName: string;
  timeFormat: TimeFormat;
  /** The IANA name of the zone of times that name none. */
  timeZone: string;
  /** The agent of rows without one. */
  agentId?: string | undefined;
}

const FIRST_ROWS = 5;
/** Rows between two pauses, in which the page answers. */
const AT_ONCE = 2_000;

const NAMES: [Field, RegExp][] = [
  ['eventName', /^(event ?name|event|event ?type|action|activity|ereignis|evento|événement|aktion)$/],
  [
    'timestamp',
    /^(timestamp|time|date ?time|date|(created|occurred|happened|paid|ordered) ?at|at|when|zeit(punkt|stempel)?|datum|fecha|data|hora)$/,
  ],
  ['threadId', /^(thread ?id|thread|(conversation|session|chat|ticket|case)( ?id)?)$/],
  ['id', /^(id|event ?id)$/],
  ['executionId', /^execution ?id$/],
  ['agentId', /^agent ?id$/],
];

/** Reads the table and guesses what its columns are. Pauses, so that the page goes on. */
export async function readTable(text: string, locale: string): Promise<CsvTable> {
  const delimiter = delimiterOf(text);
  const rows = rowsBelow(text, delimiter);
  const header = rows.next().value;
  if (!header) return { delimiter, columns: [], first: [], rows: 0, problem: t('The file is empty.') };
  const names = header.values.map((name, index) => name.trim() || `column ${index + 1}`);
  const judges = names.map((name) => ({ type: new ColumnJudge(name), time: new TimeJudge() }));
  const first: string[][] = [];
  let count = 0;
  for (const { values, problem } of rows) {
    if (problem === undefined && values.length === names.length) {
      if (first.length < FIRST_ROWS) first.push(values);
      for (const [index, value] of values.entries()) {
        judges[index]!.type.see(value);
        judges[index]!.time.see(value);
      }
    }
    count += 1;
    if (count % AT_ONCE === 0) await pause();
  }
  const decisions = judges.map(({ type, time }) => ({ ...type.decide(), formats: time.formats(locale) }));
  const problem = header.problem ?? problemOf(names, count);
  return { delimiter, columns: columnsOf(names, decisions), first, rows: count, ...(problem && { problem }) };
}

function problemOf(names: string[], rows: number): string | undefined {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    return t('More than one column is named {name}. Give each a name of its own.', { name: twice });
  return rows === 0 ? t('The file has no rows below the names of its columns.') : undefined;
}

function* rowsBelow(text: string, delimiter: string, width?: number): Generator<CsvRow, undefined> {
  const isTold = /^sep=.\r?\n/i.test(text);
  let isFirst = true;
  for (const row of csvRows(text, delimiter, width)) {
    if (!(isFirst && isTold)) yield row;
    isFirst = false;
  }
  return undefined;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

type Decision = ColumnDecision & { formats: TimeFormat[] };

function columnsOf(names: string[], decisions: Decision[]): CsvColumn[] {
  const fields = new Map<number, Field>();
  for (const [field, pattern] of NAMES) {
    const found = best(names, pattern, (index) => field !== 'timestamp' || decisions[index]!.formats.length > 0);
    if (found !== -1) fields.set(found, field);
  }
  if (![...fields.values()].includes('timestamp')) {
    // Numbers of seconds may as well be amounts.
    const isTime = ({ formats: [format] }: Decision) => format !== undefined && !/seconds$/.test(format);
    const times = decisions.findIndex((one, index) => isTime(one) && !fields.has(index));
    if (times !== -1) fields.set(times, 'timestamp');
  }
  return decisions.map(({ type, reason, formats }, index) => {
    const role: Role = fields.get(index) ?? type;
    return { name: names[index]!, role, formats, ...(role === type && reason !== undefined && { reason }) };
  });
}

/** The first column with such a name; the field's own spelling comes before all others. */
function best(names: string[], pattern: RegExp, fits: (index: number) => boolean): number {
  const plain = names.map((name) =>
    name
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replaceAll(/[_.\-\s]+/g, ' ')
      .trim()
      .toLowerCase(),
  );
  const words = pattern.source.replaceAll(/[()^$]/g, '').split('|');
  const matching = plain.flatMap((name, index) => (pattern.test(name) && fits(index) ? [index] : []));
  const rank = (index: number) => words.findIndex((word) => word.replaceAll(' ?', ' ') === plain[index]);
  return matching.sort((one, other) => (rank(one) >>> 0) - (rank(other) >>> 0))[0] ?? -1;
}

/** Names what is missing before the rows can be sent. */
export function mappingProblem({ roles, eventName }: Mapping): string | null {
  const twice = FIELDS.find((field) => roles.filter((role) => role === field).length > 1);
  if (twice !== undefined) {
    const { label } = ROLES.find(({ value }) => value === twice)!;
    return t('Only one column can be the {field}.', { field: label.toLocaleLowerCase(LOCALE) });
  }
  if (!roles.includes('eventName') && eventName.trim() === '') return t('Give the events a name.');
  return null;
}

export interface MappedRow {
  line: number;
  event?: Record<string, unknown>;
  problem?: string;
}

/** The rows as events. */
export function* mappedRows(text: string, { delimiter, columns }: CsvTable, mapping: Mapping): Generator<MappedRow> {
  const rows = rowsBelow(text, delimiter, columns.length);
  rows.next();
  const decisions = columns.map(({ name }, index) => ({
    column: name,
    type: mapping.roles[index] as ColumnType,
    // A type that a person chose also takes numbers with leading zeros.
    ...(mapping.roles[index] !== columns[index]!.role && { isSet: true as const }),
  }));
  for (const { line, values, problem } of rows) {
    yield { line, ...(problem === undefined ? eventOf(values, decisions, mapping) : { problem }) };
  }
}

function eventOf(values: string[], decisions: ColumnDecision[], mapping: Mapping): Omit<MappedRow, 'line'> {
  const event: Record<string, unknown> = mapping.roles.includes('eventName')
    ? {}
    : { eventName: mapping.eventName.trim() };
  if (mapping.agentId !== undefined) event.agentId = mapping.agentId;
  // Without a prototype, `__proto__` is a name as any other.
  const properties: Record<string, unknown> = Object.create(null);
  for (const [index, text] of values.entries()) {
    const role = mapping.roles[index]!;
    if (text === '' || role === 'none') continue;
    const { column } = decisions[index]!;
    if (role === 'timestamp') {
      const time = timeOf(text, mapping.timeFormat, mapping.timeZone);
      if (time === null) return { problem: t('{column}: {value} is not a time', { column, value: shown(text) }) };
      event.timestamp = time;
    } else if (isEventField(role)) event[role] = text;
    else {
      const value = cellValue(text, decisions[index]!);
      if (value === null) return { problem: misfit(role, { column, value: shown(text) }) };
      if (value !== undefined) properties[column] = value;
    }
  }
  return { event: { ...event, properties } };
}

function isEventField(role: Role): role is Field {
  return FIELDS.some((field) => field === role);
}

function misfit(role: Role, cell: { column: string; value: string }): string {
  return role === 'boolean'
    ? t('{column}: {value} is not true or false', cell)
    : t('{column}: {value} is not a number', cell);
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
