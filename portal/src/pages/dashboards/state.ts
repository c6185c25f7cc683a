import { t } from '../../language/index.ts';
/** The id of the tab for cards without a tab. */
export const NO_TAB = 'none';

interface Tab {
  id: string;
  agentId: string;
  name: string;
  sortOrder: number;
}

export interface ShownTab<Card> {
  id: string;
  label: string;
  cards: readonly Card[];
}

/** The tabs in their order, then one for the cards without a tab. With several agents, labels name the agent. */
export function shownTabs<Card extends { tabId: string | null }>(
  tabs: readonly Tab[],
  cards: readonly Card[],
): ShownTab<Card>[] {
  const hasSeveralAgents = new Set(tabs.map(({ agentId }) => agentId)).size > 1;
  const byTab = Map.groupBy(cards, ({ tabId }) => (tabs.some(({ id }) => id === tabId) ? tabId! : NO_TAB));
  const shown: ShownTab<Card>[] = tabs.map((tab) => ({
    id: tab.id,
    label: hasSeveralAgents ? `${tab.name} · ${tab.agentId}` : tab.name,
    cards: byTab.get(tab.id) ?? [],
  }));
  const others = byTab.get(NO_TAB);
  return others ? [...shown, { id: NO_TAB, label: t('No tab'), cards: others }] : shown;
}

/** The changes of `sortOrder` that move a tab one place to the left (-1) or right (1). */
export function reordered(tabs: readonly Tab[], id: string, step: -1 | 1): Pick<Tab, 'id' | 'sortOrder'>[] {
  const from = tabs.findIndex((tab) => tab.id === id);
  const to = from + step;
  if (from < 0 || to < 0 || to >= tabs.length) return [];
  const order = [...tabs];
  order.splice(to, 0, ...order.splice(from, 1));
  return order.flatMap((tab, sortOrder) => (tab.sortOrder === sortOrder ? [] : [{ id: tab.id, sortOrder }]));
}

/** The question with which a user asks an agent for the card. */
export function questionForMcp({ id, title }: { id: string; title: string }): string {
  return t('Show me the dashboard card {title} (render_dashboard_card, cardId {id})', {
    title: JSON.stringify(title),
    id,
  });
}

interface AgentChange {
  kind: 'card' | 'tab';
  itemId: string;
  action: 'created' | 'changed' | 'deleted';
  by: { label: string; client: string | null };
  tool: string;
  intent: string | null;
}

/** "Claude for ada@example.com, save_card". */
export function makerOf({ by: { label, client }, tool }: Pick<AgentChange, 'by' | 'tool'>): string {
  return client === null ? `${label}, ${tool}` : t('{client} for {user}, {tool}', { client, user: label, tool });
}

/** By the id of a card that an agent changed last: who did it, and why. */
export function agentMarks(changes: readonly AgentChange[]): ReadonlyMap<string, string> {
  const ofCards = changes.filter(({ kind, action }) => kind === 'card' && action !== 'deleted');
  return new Map(
    ofCards.map((change) => {
      const { itemId, action, intent } = change;
      const maker = makerOf(change);
      const mark = action === 'created' ? t('Made by {maker}', { maker }) : t('Changed by {maker}', { maker });
      return [itemId, intent ? `${mark}: ${intent}` : mark];
    }),
  );
}

/** A file name that every operating system accepts. */
export function fileNameOf(title: string, extension: string): string {
  const name = title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80)
    .toWellFormed();
  return `${name || 'card'}.${extension}`;
}

/** "Row 1, column 4, 3 wide, 2 high." */
export function sizeInWords({ x, y, w, h }: { x: number; y: number; w: number; h: number }): string {
  return t('Row {row}, column {column}, {width} wide, {height} high.', {
    row: y + 1,
    column: x + 1,
    width: w,
    height: h,
  });
}
