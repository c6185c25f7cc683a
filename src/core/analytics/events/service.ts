import type { AgentService } from '../../access/auth/agents.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import { readsFewerEvents } from '../../base/filters/limits.ts';
import { type Caller, requireScope, type Scope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid, notFound, RuntimeError } from '../../base/shared/errors.ts';
import { ALL_AGENTS } from '../../base/shared/name-schemas.ts';
import { listNames } from '../../base/shared/names.ts';
import { parse } from '../../base/shared/parse.ts';
import { checkTimezone } from '../../base/time/time.ts';
import { dashboardsWithin } from '../dashboards/held-dashboards.ts';
import type { DashboardStore } from '../dashboards/store.ts';
import { askCases, type CaseEvents, type CasesQuery, type ExecutionsOfThreads } from './cases/ask-cases.ts';
import { casesQuestion, decodeHandle } from './cases/handle.ts';
import { explainChange } from './changes/explain-change.ts';
import type { ExplainChange, Explanation } from './changes/schema.ts';
import {
  type DiscoveredEvent,
  type DiscoveredProperty,
  discoverEvents,
  discoverProperties,
  discoverValues,
  type EventNamesRequest,
  type PropertiesRequest,
  type ValuesRequest,
} from './discovery/discovery.ts';
import { describeWorkspace } from './discovery/workspace.ts';
import {
  type DescribeWorkspace,
  describeWorkspaceSchema,
  type PropertyValues,
  type Workspace,
} from './discovery/workspace-schema.ts';
import { eventsWithin } from './held-events.ts';
import { type IngestParts, ingestBatch } from './ingest.ts';
import type { IngestResult } from './ingest-schema.ts';
import { answerAggregate, answerFunnel, answerTable, DATA_NOTICE, queryFeed, queryTable } from './questions/answer.ts';
import type {
  AggregateAnswer,
  AnnotationSource,
  Basis,
  FunnelAnswer,
  QueryAnswer,
  SeriesAnnotation,
} from './questions/answer-schema.ts';
import { askKpi, type KpiResult, type QueryContext, type QueryOptions } from './questions/ask.ts';
import { casesOf, countedBy } from './questions/basis.ts';
import { fittingItems, requestedRows, shownValue } from './questions/fit.ts';
import { lateNote, type Noted, withLate } from './questions/notes.ts';
import type { FunnelQuestion } from './questions/plan.ts';
import type { KpiQuestion, ShownAs, TableQuestion } from './questions/question.ts';
import {
  type AskedQuestion,
  type ResolvedKpi,
  type ResolvedQuestion,
  type ResolveParts,
  resolveKpi,
  resolveQuestion,
  resolveReview,
  resolveSegment,
  resolveTable,
} from './questions/resolve.ts';
import {
  type AggregateEvents,
  type EventsQuery,
  type Feed,
  type FeedQuery,
  type FunnelQuery,
  MAX_QUERY_ROWS,
  type QueryEvents,
  type ShownTable,
} from './schema.ts';
import type { EventStore } from './store.ts';

/* Flow: EventService (rights) -> answer.ts (basis; not for REST) -> ask.ts -> EventStore.query. */

export interface EventParts extends IngestParts, ResolveParts {
  store: EventStore;
  agents: Pick<AgentService, 'register' | 'listAll'>;
  dashboards: DashboardStore;
  executions: ExecutionsOfThreads;
  annotations: AnnotationSource;
  /** A question of this tenant was answered. */
  onAsked?(tenantId: string): void;
  effects: Effects;
  audit: Pick<AuditLog, 'record'>;
}

export interface AnswerOptions extends QueryOptions {
  /** The scope that the caller needs; default `mcp:read`. */
  scope?: Extract<Scope, 'dashboards:read' | 'events:read' | 'mcp:read'>;
}

type LateContext = QueryContext & Required<Pick<QueryContext, 'late'>>;

export interface Measured {
  result: KpiResult;
  /**
   * The handle of the events in a range that is over, in epoch milliseconds; null for a question
   * that has none.
   */
  cases(from: number, to: number): string | null;
}

export class EventService {
  private readonly parts: EventParts;

  constructor(parts: EventParts) {
    this.parts = parts;
  }

  /** Durable. All or none; with `partial` the good events. Throws `invalid`, `rate_limited`. */
  async ingest(
    caller: Caller,
    input: { events: unknown[] },
    { partial = false }: { partial?: boolean } = {},
  ): Promise<IngestResult> {
    requireScope(caller, 'events:write');
    return ingestBatch(this.parts, caller, input, partial);
  }

  /** Newest first. */
  async feed(caller: Caller, input: FeedQuery, options?: QueryOptions): Promise<Noted<Feed>> {
    requireScope(caller, 'events:read');
    const context = this.context(caller, options);
    return withLate(await queryFeed(await resolveSegment(this.parts, caller, input), context), context.late);
  }

  /** A full page of raw events is audited as an export. */
  async query(caller: Caller, input: EventsQuery, options?: QueryOptions): Promise<Noted<ShownTable>> {
    requireScope(caller, 'events:read');
    const { question, context } = await this.tableQuestion(caller, input, options);
    const table = withLate(await queryTable(question, context), context.late);
    if (input.mode === 'raw' && requestedRows(table, input) >= MAX_QUERY_ROWS) {
      await this.parts.audit.record(caller, caller.tenantId, 'events.exported', null, { rows: table.rows.length });
    }
    return this.asked(caller, table);
  }

  /** One number, with its series, groups and comparison as asked. Throws `forbidden`, `invalid`. */
  async aggregate(
    caller: Caller,
    input: AggregateEvents,
    options: AnswerOptions = {},
  ): Promise<Noted<AggregateAnswer>> {
    return (await this.aggregateShown(caller, input, options)).answer;
  }

  /** As `aggregate`, with how the values of the question's metric are written. */
  async aggregateShown(
    caller: Caller,
    input: AggregateEvents,
    options: AnswerOptions = {},
  ): Promise<{ answer: Noted<AggregateAnswer>; shown: ShownAs | undefined }> {
    requireScope(caller, options.scope ?? 'mcp:read');
    const resolved = await resolveKpi(this.parts, caller, input);
    const answer = this.asked(caller, await this.answerKpi(caller, resolved, options));
    return { answer, shown: resolved.question.shown };
  }

  async answerKpi(
    caller: Caller,
    { question, notes }: ResolvedKpi,
    options: AnswerOptions = {},
  ): Promise<Noted<AggregateAnswer>> {
    requireScope(caller, options.scope ?? 'mcp:read');
    const executionIds = await resolveReview(this.parts, caller, question.review);
    const context = this.context(caller, { waitFor: question.waitFor, ...options });
    const answer = await answerAggregate(question, { ...context, executionIds });
    const annotations = answer.series ? await this.annotationsOf(caller, answer.basis) : [];
    const all = [...notes, ...answer.notes];
    const { metric, segment } = answer.basis;
    const hasTexts = annotations.length > 0 || notes.length > 0 || metric || segment;
    const marked = hasTexts && !all.includes(DATA_NOTICE) ? [...all, DATA_NOTICE] : all;
    return withLate({ ...answer, ...shownAnnotations(annotations), notes: marked }, context.late);
  }

  /** The numbers of `answerKpi` without basis and notes. */
  async measure(caller: Caller, question: KpiQuestion, options: QueryOptions = {}): Promise<Measured> {
    requireScope(caller, 'events:read');
    const executionIds = await resolveReview(this.parts, caller, question.review);
    const context = this.context(caller, options);
    const result = await askKpi(question, { ...context, executionIds });
    if (options.isComplete && context.late.since !== null) {
      throw new RuntimeError('unavailable', lateNote(context.late.since), { retryAfter: 5 });
    }
    const { timezone } = result.range;
    return {
      result,
      cases: (from, to) =>
        casesOf(countedBy(question), question, { range: { from, to, timezone }, lastAt: null }, context) ?? null,
    };
  }

  /** Finds the groups that carry the difference of two periods. */
  async explainChange(caller: Caller, input: ExplainChange, options: AnswerOptions = {}): Promise<Explanation> {
    requireScope(caller, options.scope ?? 'mcp:read');
    const { compareTo, properties, limit, ...asked } = input;
    const executionIds = await resolveReview(this.parts, caller, input.review);
    const { question, notes } = await resolveKpi(this.parts, caller, asked);
    const context = { ...this.context(caller, { waitFor: input.waitFor, ...options }), executionIds };
    const explanation = await explainChange({ ...question, compareTo, properties, limit }, context);
    const { previousFrom, from, to } = explanation.basis;
    const [begin] = [previousFrom, from ?? previousFrom].sort();
    const annotations = await this.annotationsOf(caller, { from: begin!, to });
    const explained = { ...explanation, ...shownAnnotations(annotations), notes: [...notes, ...explanation.notes] };
    return this.asked(caller, withLate(explained, context.late));
  }

  /** Rows, cut to the size of a tool's answer, with basis and notes. */
  async table(caller: Caller, input: QueryEvents, options: AnswerOptions = {}): Promise<Noted<QueryAnswer>> {
    requireScope(caller, options.scope ?? 'mcp:read');
    const { waitFor, ...query } = input;
    const { question, context } = await this.tableQuestion(caller, query, { waitFor, ...options });
    return this.asked(caller, withLate(await answerTable(question, context), context.late));
  }

  async answerTable(caller: Caller, question: TableQuestion, options: AnswerOptions = {}): Promise<Noted<QueryAnswer>> {
    requireScope(caller, options.scope ?? 'mcp:read');
    const context = this.context(caller, options);
    return withLate(await answerTable(question, context), context.late);
  }

  /** How many reach each step, with basis and notes. */
  async funnel(caller: Caller, input: FunnelQuery, options: AnswerOptions = {}): Promise<Noted<FunnelAnswer>> {
    requireScope(caller, options.scope ?? 'mcp:read');
    return this.asked(
      caller,
      await this.answerFunnel(caller, await resolveSegment(this.parts, caller, input), options),
    );
  }

  async answerFunnel(
    caller: Caller,
    question: FunnelQuestion,
    options: AnswerOptions = {},
  ): Promise<Noted<FunnelAnswer>> {
    requireScope(caller, options.scope ?? 'mcp:read');
    const context = this.context(caller, options);
    return withLate(await answerFunnel(question, context), context.late);
  }

  /** The events behind a number, newest first, with their threads and executions. */
  async cases(caller: Caller, handle: string, page: CasesQuery, options?: QueryOptions): Promise<CaseEvents> {
    requireScope(caller, 'events:read');
    const { question, context } = await this.ofCases(caller, handle, 'handle', options);
    const executions = readsFewerEvents(caller) ? null : this.parts.executions;
    return askCases({ ...question, ...page }, context, executions);
  }

  async describe(caller: Caller, input: DescribeWorkspace, options?: QueryOptions): Promise<Workspace> {
    requireScope(caller, 'mcp:read');
    const [workspace, { lateSince }] = await Promise.all([
      describeWorkspace(input, { ...this.parts, dashboards: this.dashboardsOf(caller) }, this.context(caller, options)),
      this.parts.store.stats(),
    ]);
    return lateSince === null ? workspace : { ...workspace, note: `${lateNote(lateSince)} ${workspace.note}` };
  }

  /** Throws `invalid` for an unknown agent or time zone. */
  async describeForReport(
    caller: Caller,
    { agentId, timezone = caller.timezone }: { agentId?: string | undefined; timezone?: string | undefined },
    options?: QueryOptions,
  ): Promise<Workspace> {
    checkTimezone(timezone);
    const input = parse(describeWorkspaceSchema, { agentId });
    const known = (await this.parts.agents.listAll(caller)).map((agent) => agent.name);
    if (agentId !== undefined && agentId !== ALL_AGENTS && !known.includes(agentId)) {
      throw invalid(`agentId: there is no agent ${JSON.stringify(agentId)}; known: ${listNames(known)}`);
    }
    return { ...(await this.describe(caller, input, options)), timezone };
  }

  async eventNames(caller: Caller, request: EventNamesRequest = {}): Promise<DiscoveredEvent[]> {
    requireScope(caller, 'mcp:read');
    return discoverEvents(this.context(caller), request);
  }

  async eventProperties(caller: Caller, request: PropertiesRequest): Promise<DiscoveredProperty[]> {
    requireScope(caller, 'mcp:read');
    return discoverProperties(this.context(caller), request);
  }

  /** Throws `not_found` for an unknown property. */
  async propertyValues(caller: Caller, request: ValuesRequest, options?: QueryOptions): Promise<PropertyValues> {
    const { agentId, eventName, propertyKey } = request;
    const properties = await this.eventProperties(caller, { agentId, eventName });
    const property = properties.find((one) => one.key === propertyKey);
    if (!property) {
      const known = properties.length > 0 ? `It has ${listNames(properties.map((one) => one.key))}.` : 'It has none.';
      throw notFound(`${JSON.stringify(eventName)} has no property ${JSON.stringify(propertyKey)}. ${known}`);
    }
    const { values, total } = await discoverValues(this.context(caller, options), request);
    return { eventName, propertyKey, type: property.type, values, total };
  }

  /** Cut to the size of a tool's answer. */
  async fittingValues(caller: Caller, eventName: string, propertyKey: string, options?: QueryOptions) {
    const { type, values, total } = await this.propertyValues(caller, { eventName, propertyKey }, options);
    const shown = values.map(({ value, count }) => ({ value: shownValue(value), count }));
    return { eventName, key: propertyKey, type, values: fittingItems(shown), totalValues: total, note: DATA_NOTICE };
  }

  /**
   * Puts the definitions of a metric and a segment in the place of their names: for `answerKpi`,
   * `measure`, `answerTable` and `answerFunnel`. Throws `invalid` for unknown ones.
   */
  resolve(caller: Caller, asked: AskedQuestion): Promise<ResolvedQuestion> {
    return resolveQuestion(this.parts, caller, asked);
  }

  /** Resolves a question for a number, for `answerKpi` and `measure`. */
  resolveKpi(caller: Caller, input: AggregateEvents): Promise<ResolvedKpi> {
    return resolveKpi(this.parts, caller, input);
  }

  private dashboardsOf(caller: Caller): DashboardStore {
    return dashboardsWithin(this.parts.dashboards, caller, this.parts);
  }

  private asked<Answer>({ tenantId }: Caller, answer: Answer): Answer {
    this.parts.onAsked?.(tenantId);
    return answer;
  }

  private async tableQuestion(
    caller: Caller,
    { cases: handle, ...asked }: EventsQuery,
    options?: QueryOptions,
  ): Promise<{ question: TableQuestion; context: LateContext }> {
    if (handle === undefined) {
      return { question: await resolveTable(this.parts, caller, asked), context: this.context(caller, options) };
    }
    const { question, context } = await this.ofCases(caller, handle, 'cases', options);
    const { segment: _, ...narrowed } = asked;
    const filters = [...(question.filters ?? []), ...(asked.filters ?? [])];
    return { question: { ...narrowed, ...question, filters }, context };
  }

  /**
   * Decodes a handle; `now` is the time of its answer. Throws `invalid`, and `forbidden` for a
   * handle with `review` without `reviews:read`.
   */
  private async ofCases(caller: Caller, handle: string, field: string, options?: QueryOptions) {
    const cases = decodeHandle(handle, field);
    const { effects } = this.parts;
    const { now = effects.now() } = cases;
    const executionIds = await resolveReview(this.parts, caller, cases.review);
    const context = { ...this.context(caller, options), effects: { now: () => now }, executionIds };
    return { question: casesQuestion(cases), context };
  }

  /** None within limits: they may tell of events outside. */
  private async annotationsOf(caller: Caller, { from, to }: Pick<Basis, 'from' | 'to'>): Promise<SeriesAnnotation[]> {
    if (readsFewerEvents(caller)) return [];
    const { tenantId } = caller;
    const end = to === null ? Number.MAX_SAFE_INTEGER : Date.parse(to);
    return this.parts.annotations.between(tenantId, from === null ? 0 : Date.parse(from), end);
  }

  private context(caller: Caller, { waitFor, signal }: QueryOptions = {}): LateContext {
    const { effects } = this.parts;
    const store = eventsWithin(this.parts, caller, { now: effects.now(), timezone: caller.timezone });
    return { store, effects, caller, waitFor, signal, late: { since: null } };
  }
}

function shownAnnotations(annotations: SeriesAnnotation[]): { annotations?: SeriesAnnotation[] } {
  return annotations.length > 0 ? { annotations } : {};
}
