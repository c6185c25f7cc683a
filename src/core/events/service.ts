import type { AuditLog } from '../audit/log.ts';
import type { AgentService } from '../auth/agents.ts';
import { DEFAULT_AGENT } from '../auth/schema.ts';
import type { AdmittedEvents } from '../quotas/event-quota.ts';
import { type Caller, requireScope } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { invalid, RuntimeError } from '../shared/errors.ts';
import { capMessages, issueMessages, parse } from '../shared/parse.ts';
import { propertiesText } from './properties.ts';
import { type Asking, Questions } from './questions/questions.ts';
import {
  type EventsQuery,
  type Feed,
  type FeedQuery,
  type IngestEvent,
  type IngestResult,
  ingestBatchSchema,
  ingestEventSchema,
  MAX_QUERY_ROWS,
  type Table,
} from './schema.ts';
import type { EventStore, StoredEvent } from './store.ts';
import { parseUtc } from './time.ts';

const DAY_MS = 86_400_000;
/** Older ones come from clocks that were never set, and would stretch every series over centuries. */
const EARLIEST_EVENT = Date.parse('1900-01-01T00:00:00Z');

/** What became of the events of one ingest, for metrics. */
export interface IngestCounts {
  accepted: number;
  duplicates: number;
  /** Invalid. */
  rejected: number;
}

/** Admits events before they are stored. */
interface ReservesEvents {
  admit(caller: Caller, events: number): Promise<AdmittedEvents>;
}

const UNLIMITED: ReservesEvents = { admit: async () => ({ end: () => undefined }) };

/** Tracked events as applications see them: ingest, feed and tables. */
export class EventService {
  private readonly store: EventStore;
  private readonly agents: Pick<AgentService, 'register'>;
  private readonly effects: Effects;
  private readonly questions: Questions;
  private readonly onIngest: (counts: IngestCounts) => void;
  private readonly quota: ReservesEvents;
  private readonly audit: Pick<AuditLog, 'record'> | undefined;

  constructor(
    store: EventStore,
    agents: Pick<AgentService, 'register'>,
    effects: Effects,
    onIngest: (counts: IngestCounts) => void = () => undefined,
    { quota = UNLIMITED, audit }: { quota?: ReservesEvents; audit?: Pick<AuditLog, 'record'> } = {},
  ) {
    this.store = store;
    this.agents = agents;
    this.effects = effects;
    this.questions = new Questions(store, effects);
    this.onIngest = onIngest;
    this.quota = quota;
    this.audit = audit;
  }

  /**
   * Stores a batch durably. One bad event makes the whole batch `invalid` and nothing is stored, unless `partial`: then
   * the good ones are stored and the bad ones listed. An event that is undefined stands for a line that was not JSON.
   * `rate_limited`, and nothing is stored, when the good ones do not fit the tenant's quota.
   */
  async ingest(
    caller: Caller,
    input: { events: unknown[] },
    options: { partial?: boolean } = {},
  ): Promise<IngestResult> {
    requireScope(caller, 'events:write');
    const { events } = parse(ingestBatchSchema, input);
    const now = this.effects.now();
    const good: StoredEvent[] = [];
    const rejected: { index: number; messages: string[] }[] = [];
    for (const [index, event] of events.entries()) {
      const result = this.stamp(caller, event, index, now, options.partial === true);
      if (Array.isArray(result)) rejected.push({ index, messages: result });
      else good.push(result);
    }
    if (rejected.length > 0 && !options.partial) {
      this.onIngest({ accepted: 0, duplicates: 0, rejected: rejected.length });
      throw invalid(...capMessages(rejected.flatMap(({ messages }) => messages)));
    }
    const admitted = await this.quota.admit(caller, good.length);
    let accepted = 0;
    let receipt: string;
    try {
      await this.agents.register(caller, [...new Set(good.map((event) => event.agentId))]);
      const appended = await this.store.append(caller.tenantId, good);
      receipt = appended.receipt;
      accepted = good.length - appended.duplicates;
    } finally {
      admitted.end(accepted);
    }
    const duplicates = good.length - accepted;
    this.onIngest({ accepted, duplicates, rejected: rejected.length });
    return {
      success: true,
      accepted,
      duplicates,
      rejected: rejected.map(({ index, messages }) => ({ index, message: messages.join('; ') })),
      receipt,
    };
  }

  /** Newest events first. */
  async feed(caller: Caller, input: FeedQuery, options: Omit<Asking, 'caller'> = {}): Promise<Feed> {
    requireScope(caller, 'events:read');
    return this.questions.feed(input, { caller, ...options });
  }

  /** Single events, or groups with metrics, as a table. A full page of single events counts as an export. */
  async query(caller: Caller, input: EventsQuery, options: Omit<Asking, 'caller'> = {}): Promise<Table> {
    requireScope(caller, 'events:read');
    const { table } = await this.questions.table(input, { caller, ...options });
    if (input.mode === 'raw' && table.rows.length >= MAX_QUERY_ROWS) {
      await this.audit?.record(caller, caller.tenantId, 'events.exported', null, { rows: table.rows.length });
    }
    return table;
  }

  /** The event as it will be stored, or what is wrong with it. */
  private stamp(caller: Caller, input: unknown, index: number, now: number, partial: boolean): StoredEvent | string[] {
    if (input === undefined) return [`events[${index}]: is not valid JSON`];
    const result = ingestEventSchema.safeParse(input, { reportInput: true });
    if (!result.success) return issueMessages(result.error, ['events', index]);
    const event = result.data;
    if (event.tenantId !== undefined && event.tenantId !== caller.tenantId) {
      const message = `events[${index}].tenantId: is not the tenant of this API key; leave it out`;
      if (partial) return [message];
      throw new RuntimeError('forbidden', message);
    }
    const timestamp = event.timestamp === undefined ? now : (parseUtc(event.timestamp) ?? now);
    if (timestamp < EARLIEST_EVENT) {
      return [`events[${index}].timestamp: lies before 1900; is the sender's clock set?`];
    }
    if (timestamp > now + DAY_MS) {
      return [
        `events[${index}].timestamp: lies more than 24 hours ahead of the server's clock, which reads ${new Date(now).toISOString()}`,
      ];
    }
    const properties = propertiesText(event.properties ?? {});
    if (properties === null) {
      return [
        `events[${index}].properties: must be at most 64 KB as JSON; keep large content elsewhere and send a reference`,
      ];
    }
    return this.stored(caller, event, timestamp, properties);
  }

  private stored(caller: Caller, event: IngestEvent, timestamp: number, properties: string): StoredEvent {
    return {
      id: event.id ?? this.effects.newId(),
      idFromCaller: event.id !== undefined,
      agentId: event.agentId ?? caller.agentId ?? DEFAULT_AGENT,
      eventName: event.eventName,
      timestamp,
      threadId: event.threadId ?? null,
      executionId: event.executionId ?? null,
      properties,
    };
  }
}
