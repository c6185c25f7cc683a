import { LRUCache } from 'lru-cache';
import type { AggregatePlan, PlanResult } from '../../../../core/analytics/events/query-plan.ts';
import { answerGroups } from '../../answers/groups.ts';
import type { KnownTenant } from '../../shared/tenants.ts';
import type { AnalyticsDatabase } from '../database.ts';
import type { Shredded } from '../write/shred.ts';
import type { TenantColumns } from '../write/typed-columns.ts';
import {
  BLOCK_ROWS,
  Dictionary,
  type KeptColumn,
  type KeptField,
  type KeptRow,
  KeptTable,
  type KeptValue,
  keyOf,
  storedColumns,
} from './columns.ts';
import { KeptGroups, MAX_KEPT_GROUPS, refuse } from './kept-groups.ts';
import { NotKept } from './loop.ts';
import { NameEvents } from './name-events.ts';

/** A question that comes once does not have its columns kept. */
const QUESTIONS_BEFORE = 2;
/** Questions before a name that found no room is tried again. */
const QUESTIONS_AFTER = 1_000;
/** A new table has the free memory, or the place of others up to this share of all. */
const LEAST_SHARE = 1 / 8;
/** A table begins where one of the last questions began that it did not cover. */
const MAX_BEGINNINGS = 8;
/** Tenants, and names of each, beyond which the ones asked for longest ago are forgotten. */
const MAX_TENANTS = 1_000;
const MAX_NAMES = 100;

export interface KeptOptions {
  /** 0 turns them off. */
  maxBytes: number;
  /** Only for tests: a question waits until its columns are read. */
  waits?: boolean;
}

type Tenant = KnownTenant<TenantColumns>;

interface KeptName {
  wanted: Map<string, KeptColumn>;
  beginnings: number[];
  /** From 0 on it may be read. */
  asked: number;
  table: KeptTable | null;
  /** While its events are read: those of later commits. */
  coming: { fields: KeptField[]; rows: { commit: number; row: KeptRow }[] } | null;
}

interface KeptTenant {
  /** Another object may know other columns. */
  tenant: Tenant;
  dictionaries: Map<string, Dictionary>;
  names: LRUCache<string, KeptName>;
}

/**
 * Columns of the event names that are asked for, in memory: an answer is a loop over them
 * (docs/decisions/0054-kept-columns.md). They change with each commit.
 */
export class KeptColumns {
  private readonly options: KeptOptions;
  private readonly database: AnalyticsDatabase;
  private readonly queryTimeoutMs: number;
  private readonly tenants = new LRUCache<string, KeptTenant>({ max: MAX_TENANTS });
  private readonly groups: KeptGroups;
  private reading: Promise<void> | null = null;
  private answers = 0;

  constructor(options: KeptOptions, database: AnalyticsDatabase, queryTimeoutMs: number) {
    this.options = options;
    this.database = database;
    this.queryTimeoutMs = queryTimeoutMs;
    this.groups = new KeptGroups(options.maxBytes);
  }

  get stats(): { bytes: number; answers: number } {
    return { bytes: this.bytes, answers: this.answers };
  }

  /** Returns null where the engine must answer. */
  async answer(tenant: Tenant | null, plan: AggregatePlan, signal?: AbortSignal): Promise<PlanResult | null> {
    if (this.options.maxBytes === 0 || tenant === null) return null;
    const known = this.tenants.get(tenant.tenantId);
    const kept = known?.tenant === tenant ? known : emptyTenant(tenant);
    this.tenants.set(tenant.tenantId, kept);
    const dictionaryOf = (field: KeptField) => this.dictionaryIn(kept, field);
    const tables = (names: string[], columns: KeptColumn[], from: number) => {
      const found = [...new Set(names)].map((name) => this.table(kept, name, columns, from));
      return found.every((table) => table !== null) ? found : refuse();
    };
    const source = { tenant: tenant.number, columns: tenant.columns, dictionaryOf, tables, signal };
    const groups = { rows: this.groups.rows.bind(this.groups, source), page: refuse, totals: refuse, slots: refuse };
    for (let attempts = this.options.waits ? 20 : 1; attempts > 0; attempts -= 1) {
      try {
        const answer = await answerGroups(groups, plan, { rows: MAX_KEPT_GROUPS, offset: MAX_KEPT_GROUPS });
        this.answers += 1;
        return answer;
      } catch (error) {
        if (!(error instanceof NotKept)) throw error;
        await (this.options.waits && this.reading);
      }
    }
    return null;
  }

  /** Call it in the commit of that number, before a snapshot has it. It does not throw. */
  append(tenants: Tenant[], shredded: Shredded, commit: number): void {
    try {
      this.add(tenants, shredded, commit);
      this.makeRoom();
    } catch {
      // Without memory, for example: the engine answers.
      this.forget(null);
    }
  }

  /** After events went or changed. Null: of every tenant. */
  forget(tenantId: string | null): void {
    if (tenantId === null) this.tenants.clear();
    else this.tenants.delete(tenantId);
  }

  private add(tenants: Tenant[], { rows, typed }: Shredded, commit: number): void {
    const found = new Map<number, KeptTenant>();
    for (const tenant of tenants) {
      const kept = this.tenants.peek(tenant.tenantId);
      if (kept?.tenant === tenant) found.set(tenant.number, kept);
      else this.forget(tenant.tenantId);
    }
    const columns = new Map<KeptField, unknown[][]>();
    const columnsOf = (field: KeptField, tenant: Tenant) => {
      const known = columns.get(field);
      const stored = known ?? (storedColumns(tenant.columns, field) ?? []).map((name) => typed.get(name) ?? []);
      columns.set(field, stored);
      return stored;
    };
    for (const [at, { tenant: number, event }] of rows.entries()) {
      const kept = found.get(number);
      const name = kept?.names.peek(event.eventName);
      if (!kept || !name) continue;
      const valueIn = (field: KeptField) => {
        if (field.path === null) return event[field.name === 'agent_id' ? 'agentId' : 'eventName'];
        return columnsOf(field, kept.tenant).find((values) => values[at] !== undefined)?.[at] as KeptValue;
      };
      name.table?.add(event.timestamp, name.table.fields.map(valueIn));
      name.coming?.rows.push({ commit, row: [event.timestamp, name.coming.fields.map(valueIn)] });
    }
  }

  /** Returns null where the events have to be read first, which may begin now. */
  private table(kept: KeptTenant, eventName: string, columns: KeptColumn[], from: number): KeptTable | null {
    const name = kept.names.get(eventName) ?? emptyName(-QUESTIONS_BEFORE);
    kept.names.set(eventName, name);
    if (!columns.every((column) => this.canBeKept(kept, column))) return null;
    if (name.table?.covers(columns, from)) return name.table;
    for (const column of columns) name.wanted.set(keyOf(column), column);
    name.beginnings = [...name.beginnings, from].slice(-MAX_BEGINNINGS);
    name.asked += 1;
    if (this.reading || (name.asked < 0 && !this.options.waits)) return null;
    this.reading = this.read(kept, eventName, name)
      // The engine's error reaches those who ask it.
      .catch(() => undefined)
      .finally(() => {
        this.reading = null;
      });
    return null;
  }

  private async read(kept: KeptTenant, eventName: string, name: KeptName): Promise<void> {
    const { tenantId, number, columns: paths } = kept.tenant;
    const columns = [...name.wanted.values()].filter((one) => this.canBeKept(kept, one));
    const tableSince = (since: number) => new KeptTable(columns, since, (field) => this.dictionaryIn(kept, field));
    const { fields, bytesOfRow } = tableSince(0);
    const later: { commit: number; row: KeptRow }[] = [];
    Object.assign(name, { coming: { fields, rows: later }, asked: -QUESTIONS_AFTER });
    const { maxBytes } = this.options;
    const room = Math.max(maxBytes * LEAST_SHARE, maxBytes - this.bytes + (name.table?.bytes ?? 0));
    try {
      const table = await this.database.read(
        async (connection, { commits, layout }) => {
          const source = { tenant: number, paths, layout };
          const events = new NameEvents(connection, source, eventName, fields);
          const since = await events.earliestOf(
            [Number.NEGATIVE_INFINITY, ...name.beginnings],
            room / bytesOfRow - BLOCK_ROWS,
          );
          if (since === null) return null;
          const table = tableSince(since);
          for await (const rows of events.since(since)) for (const row of rows) table.add(...row);
          for (const { commit, row } of later) if (commit > commits) table.add(...row);
          return table;
        },
        { timeoutMs: this.queryTimeoutMs },
      );
      // The tenant's events may have been removed or changed meanwhile.
      if (table === null || this.tenants.peek(tenantId) !== kept) return;
      const coversAll = name.beginnings.every((from) => from >= table.since);
      Object.assign(name, { table, asked: coversAll ? -QUESTIONS_BEFORE : -QUESTIONS_AFTER, beginnings: [] });
      this.makeRoom();
    } finally {
      name.coming = null;
    }
  }

  private get bytes(): number {
    return [...this.tenants.values()].reduce((sum, tenant) => sum + bytesOf(tenant), 0);
  }

  private dictionaryIn({ dictionaries }: KeptTenant, { name }: KeptField): Dictionary {
    const dictionary = dictionaries.get(name) ?? new Dictionary(this.options.maxBytes * LEAST_SHARE);
    dictionaries.set(name, dictionary);
    return dictionary;
  }

  private canBeKept(kept: KeptTenant, { as, field }: KeptColumn): boolean {
    return as === 'numbers' || !this.dictionaryIn(kept, field).isFull;
  }

  /** The tenant that holds most gives up what it has not used for longest. */
  private makeRoom(): void {
    while (this.bytes > this.options.maxBytes) {
      const [largest] = [...this.tenants.values()].sort((one, other) => bytesOf(other) - bytesOf(one));
      const { tenant, names } = largest!;
      const filled = [...names.rvalues()].filter((name) => name?.table);
      if (filled.length > 1) Object.assign(filled[0]!, { table: null, asked: -QUESTIONS_AFTER });
      else {
        const emptied = emptyTenant(tenant);
        for (const name of names.rkeys()) emptied.names.set(name, emptyName(-QUESTIONS_AFTER));
        this.tenants.set(tenant.tenantId, emptied);
      }
    }
  }
}

function emptyTenant(tenant: Tenant): KeptTenant {
  return { tenant, dictionaries: new Map(), names: new LRUCache({ max: MAX_NAMES }) };
}

function emptyName(asked: number): KeptName {
  return { wanted: new Map(), beginnings: [], asked, table: null, coming: null };
}

function bytesOf({ dictionaries, names }: KeptTenant): number {
  const ofDictionaries = [...dictionaries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return [...names.values()].reduce((sum, name) => sum + (name?.table?.bytes ?? 0), ofDictionaries);
}
