import { readsFewerEvents } from '../../base/filters/limits.ts';
import { type Caller, requirePortal } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { DashboardStore } from '../dashboards/store.ts';
import { isOfRuntime } from '../events/discovery/discovery.ts';
import { TOOL_CALLED } from '../events/fields.ts';
import type { EventStore, KnownEvent } from '../events/store.ts';
import { suggestionSource } from './known-events.ts';
import { sampleOf } from './sample-data.ts';
import type { FirstHourProgress, Suggestions } from './schema.ts';
import { FIRST_HOUR_STEPS, type FirstHourFact, type FirstHourName, type FirstHourStore } from './store.ts';
import { makeSuggestions } from './suggestions.ts';

export interface FirstHourParts {
  store: FirstHourStore;
  events: EventStore;
  dashboards: Pick<DashboardStore, 'listCardNames'>;
  effects: Effects;
}

/** Open pages ask every few seconds; the events that suggestions are made of change less often. */
const SUGGESTIONS_MS = 15_000;
const MAX_SUGGESTIONS = 1_000;

/**
 * The first hour of a tenant. A step is noted when it is first seen to be done, and is looked for
 * only until then.
 */
export class FirstHour {
  private readonly parts: FirstHourParts;
  private readonly suggested = new Map<string, { until: number; found: Promise<Suggestions | null> }>();

  constructor(parts: FirstHourParts) {
    this.parts = parts;
  }

  async progress(caller: Caller): Promise<FirstHourProgress> {
    requirePortal(caller, 'user');
    const { store } = this.parts;
    const away: FirstHourName = `away:${caller.credential.id}`;
    const facts = await store.facts(caller.tenantId, [...FIRST_HOUR_STEPS, 'sample', away]);
    const found = new Map(facts.map((fact) => [fact.name, fact]));
    for (const fact of await this.look(caller.tenantId, found)) found.set(fact.name, fact);
    const at = (name: FirstHourName) => (found.has(name) ? formatUtc(found.get(name)!.at) : null);
    const steps = { event: at('event'), client: at('client'), question: at('question'), card: at('card') };
    const putAway = found.has(away);
    const needed = steps.event !== null && (steps.question === null || steps.card === null);
    // Its details and suggestions are of all events.
    const none = { event: null, client: null, question: null, card: null };
    const nothing = {
      steps: none,
      event: null,
      call: null,
      putAway: true,
      sampleData: 'absent',
      suggestions: null,
    } as const;
    if (readsFewerEvents(caller)) return nothing;
    return {
      steps,
      event: (found.get('event')?.details as FirstHourProgress['event']) ?? null,
      call: (found.get('client')?.details as FirstHourProgress['call']) ?? null,
      putAway,
      sampleData: sampleOf(found.get('sample'))?.state ?? 'absent',
      suggestions: needed ? await this.suggestions(caller) : null,
    };
  }

  async putAway(caller: Caller, { putAway }: { putAway: boolean }): Promise<FirstHourProgress> {
    requirePortal(caller, 'user');
    const { store, effects } = this.parts;
    const name: FirstHourName = `away:${caller.credential.id}`;
    if (putAway) await store.note(caller.tenantId, { name, at: effects.now(), details: null });
    else await store.forget(caller.tenantId, name);
    return this.progress(caller);
  }

  /** Notes the steps that have happened since. */
  private async look(tenantId: string, found: ReadonlyMap<FirstHourName, FirstHourFact>): Promise<FirstHourFact[]> {
    const { store, events, dashboards, effects } = this.parts;
    const seen: Pick<FirstHourFact, 'name' | 'details'>[] = [];
    if (!found.has('event') || !found.has('client')) {
      const known = await events.knownEvents(tenantId, null);
      const own = known.find(({ eventName }) => !isOfRuntime(eventName));
      if (own) seen.push({ name: 'event', details: { eventName: own.eventName } });
      if (known.some(isToolCall)) seen.push({ name: 'client', details: null });
    }
    if (!found.has('card')) {
      const ofSample = new Set(sampleOf(found.get('sample'))?.cards);
      const cards = await dashboards.listCardNames(tenantId, null);
      if (cards.some(({ id }) => !ofSample.has(id))) seen.push({ name: 'card', details: null });
    }
    const noted: FirstHourFact[] = [];
    for (const step of seen.filter(({ name }) => !found.has(name))) {
      const fact = { ...step, at: effects.now() };
      // Another process, or a call in the background, may have come first.
      if (await store.note(tenantId, fact)) noted.push(fact);
      else noted.push(...(await store.facts(tenantId, [step.name])));
    }
    return noted;
  }

  private suggestions(caller: Caller): Promise<Suggestions | null> {
    const { tenantId } = caller;
    const now = this.parts.effects.now();
    const last = this.suggested.get(tenantId);
    if (last && now < last.until) return last.found;
    if (this.suggested.size >= MAX_SUGGESTIONS) this.suggested.clear();
    const found = this.suggest(caller, now);
    this.suggested.set(tenantId, { until: now + SUGGESTIONS_MS, found });
    // Neither a failure nor the absence of events is remembered.
    found.then(
      (made) => made ?? this.suggested.delete(tenantId),
      () => this.suggested.delete(tenantId),
    );
    return found;
  }

  private async suggest(caller: Caller, now: number): Promise<Suggestions | null> {
    const { events: store, effects } = this.parts;
    const known = await store.knownEvents(caller.tenantId, null);
    const source = await suggestionSource(known, { store, effects, caller, waitFor: undefined, signal: undefined });
    return source && makeSuggestions(source, now);
  }
}

function isToolCall({ eventName }: KnownEvent): boolean {
  return eventName === TOOL_CALLED;
}
