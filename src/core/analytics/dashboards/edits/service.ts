import { agentToWrite } from '../../../base/shared/agent.ts';
import type { Caller } from '../../../base/shared/caller.ts';
import { invalid, RuntimeError } from '../../../base/shared/errors.ts';
import { listNames, suggestion } from '../../../base/shared/names.ts';
import { parse } from '../../../base/shared/parse.ts';
import type { QueryOptions } from '../../events/questions/ask.ts';
import { withNote } from '../../events/questions/notes.ts';
import type { CardContent } from '../config-schema.ts';
import { contentSchema, type DashboardCard, type UpsertCard } from '../schema.ts';
import { type AgentEdit, type DashboardService, notesOnPut } from '../service.ts';
import type { ChangedCard, DeletedCard, NewCard, SavedCard, SavedTab, SaveTab } from './schema.ts';

export interface DashboardEditParts {
  dashboards: DashboardService;
}

/**
 * How agents change dashboards: cards by id or title, tabs by name. Each change is kept, for people
 * to see and to undo.
 */
export class DashboardEdits {
  private readonly parts: DashboardEditParts;

  constructor(parts: DashboardEditParts) {
    this.parts = parts;
  }

  /** Answers with what the card shows; with `dryRun` nothing is saved. */
  async saveCard(
    caller: Caller,
    input: NewCard | ChangedCard,
    edit: AgentEdit,
    options: QueryOptions,
  ): Promise<SavedCard> {
    return 'cardId' in input && input.cardId !== undefined
      ? this.change(caller, input, edit, options)
      : this.create(caller, input as NewCard, edit, options);
  }

  /** Checks the whole layout first: nothing is changed by one that is wrong. */
  async saveTab(caller: Caller, { layout = [], ...input }: SaveTab, edit: AgentEdit): Promise<SavedTab> {
    const { dashboards } = this.parts;
    const agentId = agentToWrite(caller, input.agentId);
    const placed: { id: string; gridLayout: DashboardCard['gridLayout'] }[] = [];
    for (const [index, { cardId, ...gridLayout }] of layout.entries()) {
      const at = `layout[${index}].cardId`;
      const card = await this.cardAt(at, caller, cardId);
      if (card.agentId !== agentId) {
        const [theirs, ours] = [card.agentId, agentId].map((name) => JSON.stringify(name));
        throw invalid(`${at}: the card is of agent ${theirs}, the tab of ${ours}; leave it out, or set agentId`);
      }
      if (placed.some(({ id }) => id === card.id)) throw invalid(`${at}: the card is there twice; leave one out`);
      placed.push({ id: card.id, gridLayout });
    }
    const { created, tab } = await dashboards.upsertTab(caller, { ...input, agentId }, edit);
    for (const { id, gridLayout } of placed) {
      await dashboards.updateCard(caller, id, { tabId: tab.id, gridLayout }, edit);
    }
    const cards = await dashboards.storeOf(caller).listCardNames(caller.tenantId, agentId);
    const inTab = cards.filter(({ tabId }) => tabId === tab.id).length;
    return { outcome: created ? 'created' : 'changed', tabId: tab.id, cards: inTab };
  }

  async deleteCard(caller: Caller, cardId: string, edit: AgentEdit): Promise<DeletedCard> {
    const { id, title } = await this.parts.dashboards.cardNamed(caller, cardId);
    await this.parts.dashboards.deleteCard(caller, id, edit);
    return { cardId: id, title };
  }

  private async create(
    caller: Caller,
    { tab, dryRun, picture: _, cardId: __, ...input }: NewCard,
    edit: AgentEdit,
    options: QueryOptions,
  ): Promise<SavedCard> {
    const { dashboards } = this.parts;
    const tabId = await this.tabNamed(caller, agentToWrite(caller, input.agentId), tab);
    if (dryRun) {
      const same = await dashboards.cardToChange(caller, input as UpsertCard);
      const note = same && `Saving this card changes the existing card ${JSON.stringify(same.title)} (${same.id}).`;
      return this.previewed(caller, input as UpsertCard, options, note ? [note] : []);
    }
    const { created, card } = await dashboards.upsertCard(caller, { ...input, tabId } as UpsertCard, edit);
    return this.saved(
      caller,
      card,
      { outcome: created ? 'created' : 'changed', notes: notesOnPut(created, card) },
      options,
    );
  }

  private async change(
    caller: Caller,
    { cardId, tab, dryRun, picture: _, ...input }: ChangedCard,
    edit: AgentEdit,
    options: QueryOptions,
  ): Promise<SavedCard> {
    const { dashboards } = this.parts;
    const card = await dashboards.cardNamed(caller, cardId);
    const tabId = await this.tabNamed(caller, card.agentId, tab);
    if (input.cardType !== undefined && input.config === undefined) {
      throw invalid('config: needed with cardType, because each type has its own');
    }
    const { title = card.title, cardType = card.cardType, config = card.config } = input;
    const content = parse(contentSchema, { cardType, config }, { text: true }) as CardContent;
    if (dryRun) return this.previewed(caller, { agentId: card.agentId, title, ...content } as UpsertCard, options);
    const changes = { ...input, ...(input.config !== undefined && content), tabId };
    const changed = await dashboards.updateCard(caller, card.id, changes, edit);
    return this.saved(caller, changed, { outcome: 'changed', notes: [] }, options);
  }

  private async previewed(
    caller: Caller,
    { agentId, title, cardType, config }: UpsertCard,
    options: QueryOptions,
    notes: string[] = [],
  ): Promise<SavedCard> {
    const content = { agentId, title, cardType, config } as UpsertCard;
    const shown = await this.parts.dashboards.preview(caller, content, 'mcp:read', options);
    return { outcome: 'previewed', ...withNote({ ...shown, notes: [...notes, ...shown.notes] }) };
  }

  /** The card is saved: one that cannot be shown now is no failure. */
  private async saved(
    caller: Caller,
    { id, title, cardType }: DashboardCard,
    { outcome, notes }: Pick<SavedCard, 'outcome'> & { notes: string[] },
    options: QueryOptions,
  ): Promise<SavedCard> {
    try {
      const shown = await this.parts.dashboards.render(caller, id, 'mcp:read', options);
      return { outcome, ...withNote({ ...shown, notes: [...notes, ...shown.notes] }) };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof RuntimeError)) throw error;
      const card = { id, title, cardType };
      return {
        outcome,
        ...withNote({ card, notes: [...notes, `It is saved, but cannot be shown. ${error.message}`] }),
      };
    }
  }

  /** Throws `invalid` with the place of the unknown card. */
  private async cardAt(at: string, caller: Caller, cardId: string): Promise<DashboardCard> {
    try {
      return await this.parts.dashboards.cardNamed(caller, cardId);
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code === 'forbidden') throw error;
      throw invalid(`${at}: ${error.message}`);
    }
  }

  /** Undefined and null stay. Throws `invalid` for an unknown name. */
  private async tabNamed(caller: Caller, agentId: string, name: string | null | undefined) {
    if (name === undefined || name === null) return name;
    const tabs = await this.parts.dashboards.storeOf(caller).listTabs(caller.tenantId, agentId);
    const named = tabs.find((tab) => tab.name === name) ?? tabs.find((tab) => alike(tab.name, name));
    if (named) return named.id;
    const names = tabs.map((tab) => tab.name);
    const known = tabs.length === 0 ? '; it has none yet' : `; its tabs are ${listNames(names)}`;
    const unknown = `tab: agent ${JSON.stringify(agentId)} has no tab ${JSON.stringify(name)} (save_tab makes one)`;
    throw invalid(unknown + suggestion(name, names, known));
  }
}

function alike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
