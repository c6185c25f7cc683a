import { LRUCache } from 'lru-cache';
import type { Scalar } from '../../../../core/analytics/events/predicates.ts';
import type { AggregatePlan, PlanResult } from '../../../../core/analytics/events/query-plan.ts';
import { type AggregateSource, answerGroups } from '../../answers/groups.ts';
import type { KnownTenant } from '../../shared/tenants.ts';
import type { Shredded } from '../write/shred.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import { Dictionary } from './dictionary.ts';
import { KeptGroups } from './groups.ts';
import { NotKept } from './loop.ts';
import { type KeptColumn, type KeptField, KeptTable, keyOf, storedColumns } from './table.ts';

/** Groups that one answer adds up, orders and cuts here. */
const LIMITS = { rows: 10_000, offset: 10_000 };
/** A question that comes once does not have its columns kept. */
const QUESTIONS_BEFORE = 2;
/** The largest table's part of all memory. */
const LARGEST_SHARE = 3 / 4;
/** Reading the events of a name takes at most this part of the time. */
const READING_SHARE = 1 / 10;
/** Tenants, and names of each, beyond which the ones asked for longest ago are forgotten. */
const MAX_TENANTS = 1_000;
const MAX_NAMES = 100;

type Tenant = KnownTenant<TenantColumns>;
/** An event's time, and its values of some fields. */
export type KeptRow = [time: number, values: (Scalar | null | undefined)[]];

/** The events of a name, in one snapshot. */
export interface NameEvents {
  /** The snapshot has the commits up to that number. */
  commits: number;
  count: number;
  /** Some thousand rows; empty at the end. */
  next(): Promise<KeptRow[]>;
}

/** May call `use` again after a failure. */
export type ReadName = <Result>(
  name: { tenant: Tenant; eventName: string; fields: KeptField[] },
  use: (events: NameEvents) => Promise<Result>,
) => Promise<Result>;

interface Name {
  wanted: Map<string, KeptColumn>;
  asked: number;
  /** When its events may be read again. */
  notBefore: number;
  table: KeptTable | null;
  /** While its events are read, new ones wait, each with its commit. */
  coming: { fields: KeptField[]; later: { commit: number; row: KeptRow }[] } | null;
}

interface KeptTenant {
  dictionaries: Map<string, Dictionary>;
  names: LRUCache<string, Name>;
}

export interface KeptOptions {
  /** 0 turns them off. */
  maxBytes: number;
  /** Only for tests: a question waits until its columns are read. */
  waits: boolean;
}

/**
 * Columns of the event names that are asked for, in memory: an answer is a loop over them
 * (docs/decisions/0054-kept-columns.md). They change with each commit.
 */
export class KeptColumns {
  private readonly options: KeptOptions;
  private readonly read: ReadName;
  private readonly onFault: (error: unknown) => void;
  private readonly tenants = new LRUCache<string, KeptTenant>({ max: MAX_TENANTS });
  private reading: Promise<void> | null = null;

  private answers = 0;

  constructor(options: KeptOptions, read: ReadName, onFault: (error: unknown) => void) {
    this.options = options;
    this.read = read;
    this.onFault = onFault;
  }

  get stats(): { bytes: number; answers: number } {
    return { bytes: this.bytes, answers: this.answers };
  }

  private get bytes(): number {
    return [...this.tenants.values()].reduce((sum, tenant) => sum + bytesOf(tenant), 0);
  }

  /** Null: the engine must answer. */
  async answer(tenant: Tenant | null, plan: AggregatePlan): Promise<PlanResult | null> {
    if (this.options.maxBytes === 0 || tenant === null) return null;
    const kept = this.tenants.get(tenant.tenantId) ?? {
      dictionaries: new Map(),
      names: new LRUCache({ max: MAX_NAMES }),
    };
    this.tenants.set(tenant.tenantId, kept);
    const groups = new KeptGroups({
      columns: tenant.columns,
      dictionaryOf: (field) => dictionaryOf(kept, field),
      tables: (names, columns) => {
        const tables = names.map((name) => this.table(tenant, kept, name, columns));
        return tables.every((table) => table !== null) ? tables : refuse();
      },
    });
    const source: AggregateSource = { rows: groups.rows.bind(groups), page: refuse, totals: refuse, slots: refuse };
    for (;;) {
      try {
        const answer = await answerGroups(source, plan, LIMITS);
        this.answers += 1;
        return answer;
      } catch (error) {
        if (!(error instanceof NotKept)) throw error;
        if (!this.options.waits || this.reading === null) return null;
        await this.settled();
      }
    }
  }

  /** Call it with each commit, before a snapshot has it. */
  append(tenant: Tenant, { rows, typed }: Shredded, commit: number): void {
    const names = this.tenants.peek(tenant.tenantId)?.names;
    if (names === undefined) return;
    const columns = new Map<KeptField, unknown[][]>();
    const columnsOf = (field: KeptField) => {
      const known = columns.get(field);
      const found = known ?? (storedColumns(tenant.columns, field) ?? []).flatMap((name) => [typed.get(name) ?? []]);
      columns.set(field, found);
      return found;
    };
    const foundIn = (field: KeptField, at: number) => {
      if (field.path === null) return rows[at]!.event[field.name === 'agent_id' ? 'agentId' : 'eventName'];
      return columnsOf(field).find((values) => values[at] !== undefined)?.[at] as Scalar | undefined;
    };
    for (const [at, { tenant: number, event }] of rows.entries()) {
      const name = number === tenant.number ? names.peek(event.eventName) : undefined;
      const rowOf = (fields: KeptField[]): KeptRow => [event.timestamp, fields.map((field) => foundIn(field, at))];
      if (name?.table && !name.table.add(...rowOf(name.table.fields))) name.table = null;
      name?.coming?.later.push({ commit, row: rowOf(name.coming.fields) });
    }
    this.makeRoom();
  }

  /** After events went or changed. Null: of every tenant. */
  forget(tenantId: string | null): void {
    if (tenantId === null) this.tenants.clear();
    else this.tenants.delete(tenantId);
  }

  /** Until nothing is read from the file; for tests. */
  async settled(): Promise<void> {
    while (this.reading) await this.reading;
  }

  /** Null: its events have to be read first, which may begin now. */
  private table(tenant: Tenant, kept: KeptTenant, eventName: string, columns: KeptColumn[]): KeptTable | null {
    const known = kept.names.get(eventName);
    const name: Name = known ?? { wanted: new Map(), asked: 0, notBefore: 0, table: null, coming: null };
    kept.names.set(eventName, name);
    const { table } = name;
    if (table && columns.every((column) => table.placeOf(column) !== undefined)) return table;
    for (const column of columns) name.wanted.set(keyOf(column), column);
    name.asked += 1;
    const isTime = name.asked >= QUESTIONS_BEFORE && performance.now() >= name.notBefore;
    if (this.reading || !(isTime || this.options.waits)) return null;
    this.reading = this.readTable(tenant, kept, eventName, name)
      .catch(this.onFault)
      .finally(() => {
        this.reading = null;
      });
    return null;
  }

  private async readTable(tenant: Tenant, kept: KeptTenant, eventName: string, name: Name): Promise<void> {
    const columns = [...name.wanted.values()];
    const { fields } = new KeptTable(columns, (field) => dictionaryOf(kept, field));
    const later: { commit: number; row: KeptRow }[] = [];
    const began = performance.now();
    Object.assign(name, { coming: { fields, later }, asked: 0 });
    try {
      const table = await this.read({ tenant, eventName, fields }, async (events) => {
        const table = new KeptTable(columns, (field) => dictionaryOf(kept, field));
        if (events.count * table.bytesOfRow > this.options.maxBytes * LARGEST_SHARE) return null;
        for (let rows = await events.next(); rows.length > 0; rows = await events.next()) {
          if (!rows.every((row) => table.add(...row))) return null;
        }
        return later.every(({ commit, row }) => commit <= events.commits || table.add(...row)) ? table : null;
      });
      // Events may have been removed or changed meanwhile.
      if (table && this.tenants.peek(tenant.tenantId) === kept) name.table = table;
      this.makeRoom();
    } finally {
      const now = performance.now();
      Object.assign(name, { coming: null, notBefore: now + (now - began) / READING_SHARE });
    }
  }

  /** The tenant that holds most gives up what it has not used for longest. */
  private makeRoom(): void {
    while (this.bytes > this.options.maxBytes) {
      const [largest] = [...this.tenants.entries()].sort(([, one], [, other]) => bytesOf(other) - bytesOf(one));
      const filled = [...largest![1].names.rvalues()].filter((name) => name?.table);
      if (filled.length > 1) filled[0]!.table = null;
      else this.tenants.delete(largest![0]);
    }
  }
}

function refuse(): never {
  throw new NotKept();
}

function dictionaryOf({ dictionaries }: KeptTenant, { name }: KeptField): Dictionary {
  const dictionary = dictionaries.get(name) ?? new Dictionary();
  dictionaries.set(name, dictionary);
  return dictionary;
}

function bytesOf({ dictionaries, names }: KeptTenant): number {
  const ofDictionaries = [...dictionaries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return [...names.values()].reduce((sum, { table }) => sum + (table?.bytes ?? 0), ofDictionaries);
}
