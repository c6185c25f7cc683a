import { keepPreviousData, queryOptions, useQueries, useQueryClient } from '@tanstack/react-query';
import { answerOf, client, type Schemas } from '../../api/client.ts';
import { CARDS } from '../../api/dashboards.ts';
import { t } from '../../language/index.ts';
import type { PageRange } from './page-range.ts';

const KEY = 'rendered card';
const MOST_PER_REQUEST = 50;
/** Cards that are requested within this time share one HTTP request. */
const WAIT_MS = 10;
const REFRESH_MS = 60_000;

interface Asked {
  id: string;
  range: PageRange;
  resolve(rendered: Schemas['RenderedCard']): void;
  reject(error: unknown): void;
}

let asked: Asked[] = [];

/** The answer of a card. Each card has its own query, so that it fails and refreshes alone. */
export function renderedCard(id: string, range: PageRange) {
  return queryOptions({
    queryKey: [KEY, range, id],
    queryFn: () => ask(id, range),
    // After a change of the range, the old answer stays until the new one arrives.
    placeholderData: keepPreviousData,
  });
}

/**
 * Refetches cards every minute while the page is visible. `updatedAt` is the time of the oldest answer; `refresh` resolves
 * to false if a card failed.
 */
export function useRefresh(ids: readonly string[], range: PageRange) {
  const queryClient = useQueryClient();
  const state = useQueries({
    queries: ids.map((id) => ({ ...renderedCard(id, range), refetchInterval: REFRESH_MS })),
    combine: stateOf,
  });
  const refresh = async () => {
    const active = { queryKey: [KEY], type: 'active' } as const;
    await queryClient.refetchQueries(active);
    return !queryClient
      .getQueryCache()
      .findAll(active)
      .some((query) => query.state.status === 'error');
  };
  return { ...state, refresh };
}

function stateOf(results: readonly { dataUpdatedAt: number; isFetching: boolean }[]) {
  const times = results.map(({ dataUpdatedAt }) => dataUpdatedAt).filter((time) => time > 0);
  return {
    updatedAt: times.length === 0 ? null : Math.min(...times),
    isFetching: results.some(({ isFetching }) => isFetching),
  };
}

function ask(id: string, range: PageRange): Promise<Schemas['RenderedCard']> {
  if (asked.length === 0) setTimeout(sendAsked, WAIT_MS);
  return new Promise((resolve, reject) => {
    asked.push({ id, range, resolve, reject });
  });
}

function sendAsked(): void {
  const byRange = Map.groupBy(asked, ({ range }) => JSON.stringify(range));
  asked = [];
  for (const together of byRange.values()) {
    for (let start = 0; start < together.length; start += MOST_PER_REQUEST) {
      void send(together.slice(start, start + MOST_PER_REQUEST));
    }
  }
}

async function send(cards: readonly Asked[]): Promise<void> {
  try {
    const ids = [...new Set(cards.map(({ id }) => id))];
    const asked = client.POST(`${CARDS}/render`, { body: { ids, ...cards[0]!.range } });
    const answers = new Map((await answerOf(asked)).cards.map((answer) => [answer.id, answer]));
    for (const { id, resolve, reject } of cards) {
      const answer = answers.get(id);
      if (answer === undefined) reject(new Error(t('The server did not answer for this card.')));
      else if ('error' in answer) reject(answer.error);
      else resolve(answer);
    }
  } catch (error) {
    for (const { reject } of cards) reject(error);
  }
}
