import { useState } from 'react';
import { answerOf, client, type Schemas } from '../../api/client.ts';
import { CARDS, TABS } from '../../api/dashboards.ts';
import { queryClient } from '../../api/session.ts';
import { useTask } from '../../ui/refusal.tsx';
import type { CardType, Config } from './state.ts';

const KEY_BYTES = 16;

export interface CardToSave {
  agentId: string;
  title: string;
  cardType: CardType;
  config: Config;
  /** The id of its tab; null for no tab. */
  tabId: string | null;
  /** The name of a tab to create first, instead of tabId. */
  newTab?: string | undefined;
}

/**
 * Saves and deletes the card. A new card has an idempotencyKey: without one it would overwrite a card that differs only
 * in its filters. The key stays the same while the page is open, so that a retry after a lost response creates no second
 * card.
 */
export function useSave(id: string | null) {
  const [key] = useState(newKey);
  const { run, ...task } = useTask();

  const attempt = <Result>(work: () => Promise<Result>, gone?: string) =>
    run(async () => {
      const result = await work();
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfDashboards(queryKey, gone) });
      return result;
    });

  const save = ({ newTab, ...card }: CardToSave) =>
    attempt(async () => {
      const tabId = newTab === undefined ? card.tabId : await tabNamed(newTab, card.agentId);
      const { agentId, ...content } = { ...card, tabId };
      if (id !== null) {
        const changed = client.PATCH(`${CARDS}/{id}`, { params: { path: { id } }, body: content });
        return (await answerOf(changed)).card;
      }
      const body = { ...content, agentId, idempotencyKey: key } as Schemas['UpsertCard'];
      return (await answerOf(client.POST(CARDS, { body }))).card;
    });

  const remove = () =>
    attempt(async () => {
      if (id === null) return false;
      await answerOf(client.DELETE(`${CARDS}/{id}`, { params: { path: { id } } }));
      return true;
    }, id ?? undefined);

  return { save, remove, ...task };
}

/** True for queries of cards and tabs, except that of the deleted card, which would fail. */
function isOfDashboards([, path, init]: readonly unknown[], gone: string | undefined): boolean {
  const { params } = (init ?? {}) as { params?: { path?: { id?: string } } };
  return String(path).includes('/dashboard-') && (gone === undefined || params?.path?.id !== gone);
}

async function tabNamed(name: string, agentId: string): Promise<string> {
  return (await answerOf(client.POST(TABS, { body: { name, agentId } }))).id;
}

/** `crypto.randomUUID` exists over https only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return `portal-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
