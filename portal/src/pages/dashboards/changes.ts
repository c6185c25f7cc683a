import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Box, Placed } from '../../../../src/charts/tab/arrange.ts';
import { answerOf, client, type Schemas } from '../../api/client.ts';
import { CARDS, CHANGES, cardsQuery, TABS } from '../../api/dashboards.ts';
import { messageOf } from '../../api/errors.ts';
import { t } from '../../language/index.ts';
import { announce } from '../../ui/toast.tsx';
import { changedLayouts } from './layout.ts';

const LAYOUT = ['card layout'];

export type Card = Schemas['Card'];
export type Tab = Schemas['Tab'];

/** Functions that change cards and tabs. They throw the server's error body. */
export function useChanges() {
  const queryClient = useQueryClient();
  const refetch = async () => {
    await Promise.all([CARDS, TABS, CHANGES].map((path) => queryClient.invalidateQueries({ queryKey: ['get', path] })));
  };
  const changing =
    <Given extends unknown[], Result>(change: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      const result = await change(...given);
      await refetch();
      return result;
    };
  return {
    refetch,
    putInTab: changing((id: string, tabId: string | null) => patchCard(id, { tabId, gridLayout: null })),
    deleteCard: changing((id: string) => answerOf(client.DELETE(`${CARDS}/{id}`, { params: { path: { id } } }))),
    makeTab: changing((body: Schemas['UpsertTab']) => answerOf(client.POST(TABS, { body }))),
    changeTabs: changing(async (changes: readonly ({ id: string } & Schemas['UpdateTab'])[]) => {
      for (const { id, ...body } of changes) {
        await answerOf(client.PATCH(`${TABS}/{id}`, { params: { path: { id } }, body }));
      }
    }),
    deleteTab: changing((id: string) => answerOf(client.DELETE(`${TABS}/{id}`, { params: { path: { id } } }))),
  };
}

interface NewLayout {
  cards: readonly Card[];
  placed: readonly Placed[];
}

/** Shows a new layout immediately and saves it; restores the old layout if that fails. */
export function useLayoutSaving(agentId: string | undefined) {
  const queryClient = useQueryClient();
  const { queryKey } = cardsQuery(agentId);
  const show = (layouts: ReadonlyMap<string, Box | null>) =>
    queryClient.setQueryData(
      queryKey,
      (list: { success: true; total: number; cards: Card[] } | undefined) =>
        list && {
          ...list,
          cards: list.cards.map((card) => {
            const gridLayout = layouts.get(card.id);
            return gridLayout === undefined ? card : { ...card, gridLayout };
          }),
        },
    );
  return useMutation({
    mutationKey: LAYOUT,
    // One save after the other: the last layout counts.
    scope: { id: LAYOUT[0]! },
    mutationFn: async ({ cards, placed }: NewLayout) => saveLayouts(cards, changedLayouts(cards, placed)),
    onMutate: async ({ cards, placed }) => {
      await queryClient.cancelQueries({ queryKey });
      show(new Map(changedLayouts(cards, placed).map(({ id, gridLayout }) => [id, gridLayout])));
    },
    onError: (error, { cards }) => {
      show(new Map(cards.map(({ id, gridLayout }) => [id, gridLayout])));
      announce(`${t('The layout was not saved; the previous one is back.')} ${messageOf(error)}`);
    },
    onSettled: async () => {
      if (queryClient.isMutating({ mutationKey: LAYOUT }) === 1) await queryClient.invalidateQueries({ queryKey });
    },
  });
}

/** Saves all layouts. If one fails, restores the saved ones, as far as the server can be reached. */
async function saveLayouts(cards: readonly Card[], layouts: readonly { id: string; gridLayout: Box }[]): Promise<void> {
  const results = await Promise.allSettled(layouts.map(({ id, gridLayout }) => patchCard(id, { gridLayout })));
  const failure = results.find((result) => result.status === 'rejected');
  if (!failure) return;
  const saved = layouts.filter((_, index) => results[index]!.status === 'fulfilled');
  const before = new Map(cards.map(({ id, gridLayout }) => [id, gridLayout]));
  await Promise.allSettled(saved.map(({ id }) => patchCard(id, { gridLayout: before.get(id) ?? null })));
  throw failure.reason;
}

async function patchCard(id: string, body: Schemas['UpdateCard']): Promise<void> {
  await answerOf(client.PATCH(`${CARDS}/{id}`, { params: { path: { id } }, body }));
}
