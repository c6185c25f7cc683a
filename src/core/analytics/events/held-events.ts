import { type Held, namesWithin, readsFewerEvents, readsFewerRows } from '../../base/filters/limits.ts';
import { forbidden, RuntimeError } from '../../base/shared/errors.ts';
import type { DateContext } from '../../base/time/dates.ts';
import { RESERVED_EVENT_PREFIX } from './fields.ts';
import { fieldOf, nameOfProperty, type Predicate, predicatesOf } from './predicates.ts';
import { aggregatePlan, type Metric, type QueryPlan, type SegmentPlan, type Selection } from './query-plan.ts';
import { planSegment } from './questions/plan-segment.ts';
import type { DefinedSegment, SegmentSource } from './questions/question.ts';
import type { JsonType, KnownEvent, KnownProperty, ReadableEvents } from './store.ts';

export interface HeldEventsParts {
  store: ReadableEvents;
  segments: Pick<SegmentSource, 'resolve'>;
}

/** The limits of a caller, as conditions. Null: any name. */
interface Conditions {
  agents: string[] | null;
  eventNames: string[] | null;
  predicates: Predicate[];
  segments: SegmentPlan[];
}

/**
 * The events of a caller with limits: of every plan, list of names and list of properties only the
 * part within them, so that nothing that is built on these tells what lies outside.
 */
export class HeldEvents implements ReadableEvents {
  private readonly parts: HeldEventsParts;
  private readonly held: Held;
  private readonly dates: DateContext;
  private found: Promise<Conditions> | null = null;

  constructor(parts: HeldEventsParts, held: Held, dates: DateContext) {
    this.parts = parts;
    this.held = held;
    this.dates = dates;
  }

  async query(tenantId: string, plan: QueryPlan, signal?: AbortSignal) {
    const selection = within(plan.selection, await this.conditions(tenantId));
    return this.parts.store.query(tenantId, { ...plan, selection }, signal);
  }

  waitFor(receipt: string, timeoutMs: number): Promise<boolean> {
    return this.parts.store.waitFor(receipt, timeoutMs);
  }

  async knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]> {
    const { agents, eventNames } = await this.conditions(tenantId);
    if (readsFewerRows(this.held)) return this.countedEvents(tenantId, agentId);
    const known = await this.parts.store.knownEvents(tenantId, agentId);
    return known.filter((event) => allows(agents, event.agentId) && allows(eventNames, event.eventName));
  }

  /** By key: the order in which the tenant's first appeared may be that of events outside. */
  async knownProperties(
    tenantId: string,
    agentId: string | null,
    eventNames: string[],
    keys?: readonly string[],
  ): Promise<KnownProperty[]> {
    const { agents, eventNames: allowed } = await this.conditions(tenantId);
    const names = eventNames.filter((name) => allows(allowed, name));
    if (names.length === 0 || !allows(agents, agentId)) return [];
    const asked = agentId === null && agents !== null ? agents : [agentId];
    const known = await Promise.all(asked.map((agent) => this.parts.store.knownProperties(tenantId, agent, names)));
    const merged = mergedProperties(known.flat());
    if (!readsFewerRows(this.held)) return merged;
    const all = merged.length > 0 ? merged : ofKey(merged, ANY_KEY);
    const tested = keys ? keys.flatMap((key) => ofKey(merged, key)) : all;
    const present = await this.presentOf(tenantId, agentId, names, tested);
    return present.filter(({ key }) => merged.some((property) => property.key === key));
  }

  private conditions(tenantId: string): Promise<Conditions> {
    this.found ??= this.resolve(tenantId);
    return this.found;
  }

  private async resolve(tenantId: string): Promise<Conditions> {
    const { limits = [] } = this.held;
    const segments = limits.flatMap(({ segment }) => (segment === undefined ? [] : [segment]));
    const defined = await Promise.all(segments.map((name) => this.definedSegment(tenantId, name)));
    return {
      agents: namesWithin(this.held, 'agents'),
      eventNames: namesWithin(this.held, 'eventNames'),
      predicates: limits.flatMap(({ filters = [] }) => predicatesOf(filters, 'limits.filters', this.dates)),
      segments: defined.map((one) => planSegment(one, this.dates, 'limits.segment.')),
    };
  }

  /** Without it nothing is known to be within the limits. */
  private definedSegment(tenantId: string, name: string): Promise<DefinedSegment> {
    return this.parts.segments.resolve({ tenantId }, name).catch((error: unknown) => {
      if (!(error instanceof RuntimeError) || error.code !== 'invalid') throw error;
      throw forbidden('The segment of limits.segment was removed. Ask an administrator for a new credential.');
    });
  }

  /** From the rows, most recent first: the store knows names, not which rows have them. */
  private async countedEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]> {
    const plan = aggregatePlan({
      selection: everything(agentId, null),
      groupBy: [fieldOf('agentId'), fieldOf('eventName')],
      metrics: [{ aggregation: 'count', field: null }],
      seen: true,
    });
    const { rows } = await this.query(tenantId, plan);
    return (rows as [string, string, number, number, number][])
      .map(([agent, eventName, events, firstSeen, lastSeen]) => ({
        agentId: agent,
        eventName,
        events,
        firstSeen,
        lastSeen,
      }))
      .sort((one, other) => other.lastSeen - one.lastSeen);
  }

  /** Leaves the properties, and of these the types, that rows within the limits have. */
  private async presentOf(
    tenantId: string,
    agentId: string | null,
    eventNames: string[],
    known: KnownProperty[],
  ): Promise<KnownProperty[]> {
    const tested = known.flatMap((property) => property.types.map((type) => ({ property, type })));
    const present = new Map<KnownProperty, JsonType[]>();
    for (let start = 0; start < tested.length; start += TESTED_AT_ONCE) {
      const asked = tested.slice(start, start + TESTED_AT_ONCE);
      const metrics = asked.map(
        ({ property, type }): Metric => ({
          aggregation: 'rate',
          numerator: typeTest(property.key, property.types.length === 1 ? null : type),
          denominator: [],
        }),
      );
      const plan = aggregatePlan({ selection: everything(agentId, eventNames), groupBy: [], metrics });
      const { rows } = await this.query(tenantId, plan);
      for (const [at, { property, type }] of asked.entries()) {
        const events = rows[0]?.[3 * at + 1] as number | undefined;
        if (events) present.set(property, [...(present.get(property) ?? []), type]);
      }
    }
    return [...present].map(([property, types]) => ({ ...property, types }));
  }
}

/** The store itself for a caller that reads all events. */
export function eventsWithin(parts: HeldEventsParts, held: Held, dates: DateContext): ReadableEvents {
  return readsFewerEvents(held) ? new HeldEvents(parts, held, dates) : parts.store;
}

/** A statement with more columns is slow to compile. */
const TESTED_AT_ONCE = 100;

function within(selection: Selection, conditions: Conditions): Selection {
  const { agents, eventNames, predicates, segments } = conditions;
  const ofAgents = selection.agentId === null && agents !== null ? [oneOfNames('agentId', agents)] : [];
  return {
    ...selection,
    eventNames: allows(agents, selection.agentId) ? namesOf(selection, eventNames) : [],
    predicates: [...selection.predicates, ...ofAgents, ...predicates],
    ...(selection.segments || segments.length > 0
      ? { segments: [...(selection.segments ?? []).map((one) => segmentWithin(one, conditions)), ...segments] }
      : {}),
  };
}

function namesOf({ eventNames, includesOwn }: Selection, allowed: string[] | null): string[] | null {
  if (allowed === null) return eventNames;
  if (eventNames !== null) return eventNames.filter((name) => allowed.includes(name));
  return includesOwn ? allowed : allowed.filter((name) => !name.startsWith(RESERVED_EVENT_PREFIX));
}

/** Its subjects by the events within the limits alone. */
function segmentWithin(segment: SegmentPlan, conditions: Conditions): SegmentPlan {
  const { agents, eventNames, predicates, segments } = conditions;
  return {
    ...segment,
    ...(segments.length > 0 && { among: segments }),
    conditions: segment.conditions.map((condition) => ({
      ...condition,
      predicates: [
        ...condition.predicates,
        ...(agents === null ? [] : [oneOfNames('agentId', agents)]),
        ...(allows(eventNames, condition.eventName) ? [] : [oneOfNames('eventName', [])]),
        ...predicates,
      ],
    })),
  };
}

function allows(names: string[] | null, name: string | null): boolean {
  return names === null || name === null || names.includes(name);
}

function oneOfNames(field: 'agentId' | 'eventName', values: string[]): Predicate {
  return { field: fieldOf(field), test: { kind: 'oneOf', values }, negated: false };
}

function everything(agentId: string | null, eventNames: string[] | null): Selection {
  return { agentId, eventNames, includesOwn: true, from: null, to: null, predicates: [] };
}

/** Where no key is known, one is tested. */
const ANY_KEY = 'key';

/** One that is unknown is tested as well: the time must not tell whether it is known outside. */
function ofKey(known: readonly KnownProperty[], key: string): KnownProperty[] {
  const found = known.filter((property) => property.key === key);
  return found.length > 0 ? found : [{ key, nested: false, types: ['string'] }];
}

/** `type` null: any. An object is what is left. */
function typeTest(key: string, type: JsonType | null): Predicate[] {
  const field = fieldOf(nameOfProperty(key));
  const is = (test: Predicate['test'], negated = false): Predicate => ({ field, test, negated });
  const tests = {
    array: is({ kind: 'list' }),
    string: is({ kind: 'startsWith', value: '' }),
    number: is({ kind: 'compare', operator: 'gte', value: -Number.MAX_VALUE }),
    boolean: is({ kind: 'oneOf', values: [true, false] }),
  };
  if (type === null) return [is({ kind: 'present' })];
  if (type in tests) return [tests[type as keyof typeof tests]];
  return [is({ kind: 'present' }), ...Object.values(tests).map(({ test }) => is(test, true))];
}

function mergedProperties(known: KnownProperty[]): KnownProperty[] {
  const merged = new Map<string, KnownProperty>();
  for (const property of known) {
    const name = JSON.stringify([property.key, property.nested]);
    const types = [...(merged.get(name)?.types ?? []), ...property.types];
    merged.set(name, { ...property, types: [...new Set(types)].sort() });
  }
  return [...merged.values()].sort((one, other) => (one.key < other.key ? -1 : 1));
}
