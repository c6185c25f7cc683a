import { Limiter } from '../../base/concurrency/limiter.ts';
import type { Caller, Scope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError } from '../../base/shared/errors.ts';
import type { QueryOptions } from '../events/questions/ask.ts';
import type { Noted } from '../events/questions/notes.ts';
import { notesOnLimits } from '../events/questions/within.ts';
import type { EventService } from '../events/service.ts';
import { type RenderedCard, renderCard } from './render.ts';
import type { CardRange } from './schema.ts';
import type { StoredCard, StoredTab } from './store.ts';

/** Cards of one request, so that a dashboard leaves slots to other queries. */
const RENDERED_AT_ONCE = 4;

export type RenderedOne = { id: string; rendered: Noted<RenderedCard> } | { id: string; error: unknown };

/** The first cards of a tab, with what each shows or why it shows nothing. */
export interface RenderedTab {
  tab: Pick<StoredTab, 'id' | 'name'>;
  /** Cards of the tab. */
  total: number;
  cards: { card: RenderedCard['card']; rendered: RenderedOne }[];
}

export interface RenderingParts {
  events: EventService;
  effects: Pick<Effects, 'now'>;
  /** Receives an unexpected error of one of many cards; the others are still answered. */
  onError(error: unknown, cardId: string): void;
}

/** Renders stored cards for callers whose rights have been checked. */
export class CardRendering {
  private readonly parts: RenderingParts;

  constructor(parts: RenderingParts) {
    this.parts = parts;
  }

  /** Says so where the limits of the caller leave out events. */
  async stored(
    caller: Caller,
    card: StoredCard,
    scope: Extract<Scope, 'dashboards:read' | 'mcp:read'>,
    options: QueryOptions & { range?: CardRange },
  ): Promise<Noted<RenderedCard>> {
    const { effects, events } = this.parts;
    const rendered = await renderCard(card, effects.now(), events, caller, { ...options, scope });
    return { ...rendered, notes: [...new Set([...rendered.notes, ...notesOnLimits(caller, card.agentId)])] };
  }

  /** In the order of the ids; a card that fails has its error. */
  async all(
    caller: Caller,
    ids: readonly string[],
    found: readonly PromiseSettledResult<StoredCard>[],
    scope: Extract<Scope, 'dashboards:read' | 'mcp:read'>,
    options: QueryOptions & { range?: CardRange },
  ): Promise<RenderedOne[]> {
    const limiter = new Limiter({ concurrency: RENDERED_AT_ONCE, maxQueue: ids.length, rejection: '' });
    const renderOne = async (id: string, found: PromiseSettledResult<StoredCard>): Promise<RenderedOne> => {
      try {
        if (found.status === 'rejected') throw found.reason;
        return { id, rendered: await this.stored(caller, found.value, scope, options) };
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(error instanceof RuntimeError)) this.parts.onError(error, id);
        return { id, error };
      }
    };
    const start = (one: PromiseSettledResult<StoredCard>, at: number) =>
      limiter.run(() => renderOne(ids[at]!, one), options.signal);
    const isFunnel = (one: PromiseSettledResult<StoredCard>) =>
      one.status === 'fulfilled' && one.value.cardType === 'funnel';
    // They take longest: the others are answered beside them.
    const funnels = found.map((one, at) => (isFunnel(one) ? start(one, at) : null));
    return Promise.all(found.map((one, at) => funnels[at] ?? start(one, at)));
  }
}

/** Cards that have a place in the grid from top to bottom, then the others. */
export function inReadingOrder(cards: readonly StoredCard[]): StoredCard[] {
  const last = { y: Number.POSITIVE_INFINITY, x: 0 };
  return cards.toSorted((one, other) => {
    const [{ x, y }, to] = [one.gridLayout ?? last, other.gridLayout ?? last];
    return y === to.y ? x - to.x : y - to.y;
  });
}
