import type { Schemas } from '../../api/schemas.ts';

export type SharedTab = Schemas['SharedTab'];
export type SharedCard = SharedTab['cards'][number];

export interface SharedState {
  tab: SharedTab | null;
  /** Epoch milliseconds of `tab`. */
  updatedAt: number;
  /** `ended`: the link opens nothing any more, and is not asked again. */
  status: 'loading' | 'shown' | 'failed' | 'ended';
}

export const LOADING: SharedState = { tab: null, updatedAt: 0, status: 'loading' };

/** After an answer. `status` is that of HTTP, 0 without an answer; what was shown stays, unless the link has ended. */
export function afterAnswer(
  before: SharedState,
  { status, tab, now }: { status: number; tab: SharedTab | null; now: number },
): SharedState {
  if (before.status === 'ended' || status === 410 || status === 404)
    return { tab: null, updatedAt: 0, status: 'ended' };
  if (tab === null) return { ...before, status: 'failed' };
  return { tab, updatedAt: now, status: 'shown' };
}

/** The cards as `arrange` takes them. */
export function toArrange(cards: readonly SharedCard[]) {
  return cards.map(({ number, cardType, gridLayout }) => ({ id: String(number), cardType, gridLayout }));
}
