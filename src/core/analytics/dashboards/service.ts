import { createHash } from 'node:crypto';
import type { AgentService } from '../../access/auth/agents.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import { agentToRead, agentToWrite } from '../../base/shared/agent.ts';
import { type Caller, requireScope, type Scope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, notFound, type RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { parse } from '../../base/shared/parse.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { DefinitionBudget } from '../../limits/quotas/definition-budget.ts';
import type { QueryOptions } from '../events/questions/ask.ts';
import type { Noted } from '../events/questions/notes.ts';
import type { KpiQuestion, MetricSource, SegmentSource } from '../events/questions/question.ts';
import { requireDefinitionWithin } from '../events/questions/within.ts';
import type { CardContent } from './config-schema.ts';
import { dashboardsWithin } from './held-dashboards.ts';
import { missing, severalNamed, severalTitled } from './missing.ts';
import { type CardQuestionParts, checkedQuestion, checkRange, resolvedQuestion } from './question.ts';
import { type RenderedCard, renderCard } from './render.ts';
import { CardRendering, inReadingOrder, type RenderedOne, type RenderedTab, type RenderingParts } from './rendering.ts';
import {
  type CardRange,
  contentSchema,
  type DashboardCard,
  type DashboardTab,
  MAX_RENDERED,
  type PreviewCard,
  type UpdateCard,
  type UpdateTab,
  type UpsertCard,
  type UpsertTab,
} from './schema.ts';
import type { AgentChange, CardChanges, CardName, DashboardStore, StoredCard, StoredTab } from './store.ts';

/** Every database can index it. */
const MAX_LENGTH = 500;

/** Unique within tenant and agent: two cards with one identity are the same card. */
export function identityOf(content: CardContent, idempotencyKey: string | null): string {
  return shortIdentity(identityText(content, idempotencyKey));
}

/** Its digest if it is long. */
export function shortIdentity(identity: string): string {
  return identity.length <= MAX_LENGTH ? identity : createHash('sha256').update(identity).digest('hex');
}

function identityText(content: CardContent, idempotencyKey: string | null): string {
  if (idempotencyKey !== null) return JSON.stringify({ idempotencyKey });
  const { cardType, config } = content;
  if (cardType === 'funnel') return JSON.stringify({ cardType, eventName: config.steps.map((step) => step.eventName) });
  const { metric, aggregation = '', propertyKey = '' } = config as Partial<Record<string, string>>;
  const returned =
    cardType === 'table' && config.mode === 'retention' ? (config.returned?.eventName ?? config.eventName) : undefined;
  return JSON.stringify({ cardType, metric, eventName: config.eventName, aggregation, propertyKey, returned });
}

const SAME_CARD =
  'A card with this agentId, eventName, cardType, aggregation and propertyKey existed and was changed. To keep cards apart that differ in other members, send an idempotencyKey with each.';

/** Sentences for the caller of `upsertCard`. */
export function notesOnPut(created: boolean, { idempotencyKey }: Pick<DashboardCard, 'idempotencyKey'>): string[] {
  return created || idempotencyKey !== null ? [] : [SAME_CARD];
}

/** The JSON of a request, which MCP has no limit of its own for. */
export const MAX_CARD_BYTES = 128 * 1024;
/** Per agent. */
export const MAX_CARDS = 1_000;
const PREVIEW_ID = 'preview';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The tool by which an agent makes a change, and its reason in its own words. */
export interface AgentEdit {
  tool: string;
  intent: string | undefined;
}

export interface DashboardParts extends RenderingParts {
  store: DashboardStore;
  metrics: Pick<MetricSource, 'resolve'>;
  segments: Pick<SegmentSource, 'resolve'>;
  definitions: DefinitionBudget;
  agents: Pick<AgentService, 'register'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

export class DashboardService {
  private readonly parts: DashboardParts;
  private readonly rendering: CardRendering;

  constructor(parts: DashboardParts) {
    this.parts = parts;
    this.rendering = new CardRendering(parts);
  }

  async cards(caller: Caller, { agentId }: { agentId?: string | undefined }): Promise<DashboardCard[]> {
    requireScope(caller, 'dashboards:read');
    return (await this.storeOf(caller).listCards(caller.tenantId, agentToRead(caller, agentId))).map(shownCard);
  }

  /** The cards that the caller may read, for MCP. */
  async cardNames(caller: Caller): Promise<CardName[]> {
    requireScope(caller, 'mcp:read');
    return this.storeOf(caller).listCardNames(caller.tenantId, agentToRead(caller));
  }

  /** By its id or its exact title, for MCP. */
  async cardNamed(caller: Caller, idOrTitle: string): Promise<DashboardCard> {
    requireScope(caller, 'mcp:read');
    return shownCard(await this.cardOf(caller, idOrTitle, { byTitle: true }));
  }

  async card(caller: Caller, id: string): Promise<DashboardCard> {
    requireScope(caller, 'dashboards:read');
    return shownCard(await this.cardOf(caller, id));
  }

  async render(
    caller: Caller,
    id: string,
    scope: Extract<Scope, 'dashboards:read' | 'mcp:read'>,
    options: QueryOptions & { range?: CardRange } = {},
  ): Promise<Noted<RenderedCard>> {
    requireScope(caller, scope);
    const card = await this.cardOf(caller, id, { byTitle: scope === 'mcp:read' });
    return this.rendering.stored(caller, card, scope, options);
  }

  /** The question of a card with numbers or a chart. Throws `invalid` for other types. */
  async questionOf(caller: Caller, id: string): Promise<KpiQuestion> {
    requireScope(caller, 'dashboards:read');
    const card = await this.cardOf(caller, id);
    const resolved = await resolvedQuestion(card as CardContent, this.questionParts(caller, card.agentId));
    if (resolved.kind === 'aggregate') return resolved.question;
    throw invalid(
      `cardId: a ${card.cardType} card has no single number; choose a number, rate, gauge, line or bar card`,
    );
  }

  /**
   * Renders cards in the order of the ids; one that fails has its error. Throws `invalid` for a
   * wrong range.
   */
  async renderMany(
    caller: Caller,
    ids: readonly string[],
    options: QueryOptions & { range?: CardRange } = {},
  ): Promise<RenderedOne[]> {
    requireScope(caller, 'dashboards:read');
    const { agentId, timezone } = caller;
    checkRange(options.range ?? {}, { agentId, timezone, now: this.parts.effects.now() });
    const found = await Promise.allSettled(ids.map((id) => this.cardOf(caller, id)));
    return this.rendering.all(caller, ids, found, 'dashboards:read', options);
  }

  /** For MCP: a tab by its id or name; its cards as a person reads them, the first 50. */
  async renderTab(caller: Caller, name: string, options: QueryOptions = {}): Promise<RenderedTab> {
    requireScope(caller, 'mcp:read');
    const store = this.storeOf(caller);
    const tab = await this.tabOf(caller, name);
    const cards = (await store.listCards(caller.tenantId, tab.agentId)).filter(({ tabId }) => tabId === tab.id);
    const shown = inReadingOrder(cards).slice(0, MAX_RENDERED);
    const found = shown.map((value) => ({ status: 'fulfilled', value }) as const);
    const ids = shown.map(({ id }) => id);
    const rendered = await this.rendering.all(caller, ids, found, 'mcp:read', options);
    return {
      tab: { id: tab.id, name: tab.name },
      total: cards.length,
      cards: shown.map(({ id, title, cardType }, at) => ({ card: { id, title, cardType }, rendered: rendered[at]! })),
    };
  }

  /**
   * Renders a card that is not saved. It can query all events, so a right to dashboards is not
   * enough.
   */
  async preview(
    caller: Caller,
    input: PreviewCard,
    scope: Extract<Scope, 'events:read' | 'mcp:read'>,
    options: QueryOptions = {},
  ): Promise<Noted<RenderedCard>> {
    requireScope(caller, scope);
    const agentId = agentToWrite(caller, input.agentId);
    const content = { cardType: input.cardType, config: input.config } as CardContent;
    await this.checkContent(caller, agentId, content);
    const card = { id: PREVIEW_ID, agentId, title: input.title, ...content };
    const { effects, events } = this.parts;
    return renderCard(card, effects.now(), events, caller, { ...options, scope });
  }

  /** With `edit` the change is kept as an agent's, for people to see and to undo. */
  async upsertCard(
    caller: Caller,
    input: UpsertCard,
    edit?: AgentEdit,
  ): Promise<{ created: boolean; card: DashboardCard }> {
    requireScope(caller, 'dashboards:write');
    const agentId = agentToWrite(caller, input.agentId);
    const { title, tabId, gridLayout, sortOrder, idempotencyKey = null } = input;
    const content = { cardType: input.cardType, config: input.config } as CardContent;
    await this.checkContent(caller, agentId, content);
    const now = this.parts.effects.now();
    const card = {
      id: this.parts.effects.newId(),
      agentId,
      ...content,
      title,
      tabId,
      gridLayout: gridLayout ?? undefined,
      sortOrder,
      idempotencyKey,
      identity: identityOf(content, idempotencyKey),
      createdAt: now,
      updatedAt: now,
    };
    const { tenantId } = caller;
    await this.requireRoom(tenantId, card);
    const put = () => this.storeOf(caller).putCard(tenantId, card, this.changeBy(caller, edit));
    const result = await this.parts.definitions.within(tenantId, { before: null, after: content.config }, put);
    if (result === 'unknown tab') throw await this.unknownTab(caller, tabId, agentId);
    await this.parts.agents.register(caller, [agentId]);
    return { created: result.created, card: shownCard(result.stored) };
  }

  /** The card that `upsertCard` would change; null: it would make a new one. */
  async cardToChange(caller: Caller, input: UpsertCard): Promise<StoredCard | null> {
    const identity = identityOf(input as CardContent, input.idempotencyKey ?? null);
    return this.storeOf(caller).cardOfIdentity(caller.tenantId, agentToWrite(caller, input.agentId), identity);
  }

  async updateCard(caller: Caller, id: string, input: UpdateCard, edit?: AgentEdit): Promise<DashboardCard> {
    requireScope(caller, 'dashboards:write');
    const card = await this.cardOf(caller, id);
    const { cardType = card.cardType, config, ...changes } = input;
    const cardChanges: CardChanges = changes;
    if (config !== undefined) {
      const content = parse(contentSchema, { cardType, config }) as CardContent;
      await this.checkContent(caller, card.agentId, content);
      Object.assign(cardChanges, content, { identity: identityOf(content, card.idempotencyKey) });
    }
    const { definitions, effects } = this.parts;
    const store = this.storeOf(caller);
    const by = this.changeBy(caller, edit);
    const change = () => store.changeCard(caller.tenantId, id, cardChanges, effects.now(), by);
    const sizes = { before: card.config, after: cardChanges.config ?? card.config };
    const result = await definitions.within(caller.tenantId, sizes, change);
    if (result === null) throw await this.missing(caller, 'card', id);
    if (result === 'unknown tab') throw await this.unknownTab(caller, input.tabId, card.agentId);
    if (result === 'conflict') {
      throw conflict(
        'Another card of this agent asks the same (eventName, cardType, aggregation, propertyKey). Change or delete that one.',
      );
    }
    return shownCard(result);
  }

  async deleteCard(caller: Caller, id: string, edit?: AgentEdit): Promise<void> {
    requireScope(caller, 'dashboards:write');
    const removed = await this.storeOf(caller).removeCard(caller.tenantId, id, this.changeBy(caller, edit));
    if (!removed) throw await this.missing(caller, 'card', id);
    await this.parts.audit.record(caller, caller.tenantId, 'card.deleted', id);
  }

  async tabs(caller: Caller, { agentId }: { agentId?: string | undefined }): Promise<DashboardTab[]> {
    requireScope(caller, 'dashboards:read');
    return (await this.storeOf(caller).listTabs(caller.tenantId, agentToRead(caller, agentId))).map(shownTab);
  }

  async tab(caller: Caller, id: string): Promise<DashboardTab> {
    requireScope(caller, 'dashboards:read');
    const tab = await this.storeOf(caller).findTab(caller.tenantId, id);
    if (!tab) throw await this.missing(caller, 'tab', id);
    return shownTab(tab);
  }

  async upsertTab(
    caller: Caller,
    input: UpsertTab,
    edit?: AgentEdit,
  ): Promise<{ created: boolean; tab: DashboardTab }> {
    requireScope(caller, 'dashboards:write');
    const agentId = agentToWrite(caller, input.agentId);
    await this.parts.agents.register(caller, [agentId]);
    const now = this.parts.effects.now();
    const { name, sortOrder } = input;
    const tab = { id: this.parts.effects.newId(), agentId, name, sortOrder, createdAt: now, updatedAt: now };
    const { created, stored } = await this.parts.store.putTab(caller.tenantId, tab, this.changeBy(caller, edit));
    return { created, tab: shownTab(stored) };
  }

  async updateTab(caller: Caller, id: string, changes: UpdateTab): Promise<DashboardTab> {
    requireScope(caller, 'dashboards:write');
    const result = await this.storeOf(caller).changeTab(caller.tenantId, id, changes, this.parts.effects.now());
    if (result === null) throw await this.missing(caller, 'tab', id);
    if (result === 'conflict') throw conflict(`The agent has a tab named "${changes.name}" already.`);
    return shownTab(result);
  }

  async deleteTab(caller: Caller, id: string): Promise<void> {
    requireScope(caller, 'dashboards:write');
    if (!(await this.storeOf(caller).removeTab(caller.tenantId, id))) throw await this.missing(caller, 'tab', id);
    await this.parts.audit.record(caller, caller.tenantId, 'tab.deleted', id);
  }

  /** Models send a title for an id. Throws `invalid` when several cards have it. */
  private async cardTitled(caller: Caller, title: string): Promise<StoredCard | null> {
    const store = this.storeOf(caller);
    const cards = await store.listCardNames(caller.tenantId, agentToRead(caller));
    const named = cards.filter((card) => card.title.toLowerCase() === title.toLowerCase());
    if (named.length > 1) throw severalTitled(named);
    return named.length === 1 ? store.findCard(caller.tenantId, named[0]!.id) : null;
  }

  private async tabOf(caller: Caller, name: string): Promise<StoredTab> {
    const tabs = await this.storeOf(caller).listTabs(caller.tenantId, agentToRead(caller));
    const named = tabs.filter((tab) => tab.name.toLowerCase() === name.toLowerCase());
    const tab = tabs.find(({ id }) => id === name.toLowerCase()) ?? named[0];
    if (!tab) throw await this.missing(caller, 'tab', name);
    if (tab === named[0] && named.length > 1) throw severalNamed(named);
    return tab;
  }

  private async cardOf(caller: Caller, id: string, { byTitle = false } = {}): Promise<StoredCard> {
    const store = this.storeOf(caller);
    // Ids are in lower case; models and hosts may write them in capitals.
    const written = byTitle && UUID.test(id) ? id.toLowerCase() : id;
    const found = await store.findCard(caller.tenantId, written);
    const card = found ?? (byTitle ? await this.cardTitled(caller, id) : null);
    if (!card) throw await this.missing(caller, 'card', written);
    return card;
  }

  private changeBy(caller: Caller, edit: AgentEdit | undefined): AgentChange | undefined {
    if (!edit) return undefined;
    const { credential, label, grant, userId } = caller;
    const by = { ...credential, label, client: grant?.client ?? null, userId };
    const { effects } = this.parts;
    return { id: effects.newId(), at: effects.now(), by, tool: edit.tool, intent: edit.intent ?? null };
  }

  /** The cards and tabs within the limits of the caller. */
  storeOf(caller: Caller): DashboardStore {
    return dashboardsWithin(this.parts.store, caller, this.parts);
  }

  private async checkContent(caller: Caller, agentId: string, content: CardContent): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(content.config)) > MAX_CARD_BYTES) {
      throw invalid('config: must be at most 128 KB as JSON');
    }
    await requireDefinitionWithin(caller, content.config, this.parts);
    await checkedQuestion(content, this.questionParts(caller, agentId));
  }

  private questionParts(caller: Caller, agentId: string): CardQuestionParts {
    const { effects, events } = this.parts;
    return { events, caller, agentId, context: { agentId, timezone: caller.timezone, now: effects.now() } };
  }

  /** Against scripts that send a new idempotency key each time. */
  private async requireRoom(
    tenantId: string,
    { agentId, identity }: Pick<StoredCard, 'agentId' | 'identity'>,
  ): Promise<void> {
    const { store } = this.parts;
    if ((await store.countCards(tenantId, agentId)) < MAX_CARDS) return;
    if (!(await store.cardOfIdentity(tenantId, agentId, identity))) throw tooManyCards();
  }

  private missing(caller: Caller, kind: 'card' | 'tab', id: string): Promise<RuntimeError> {
    return missing(this.storeOf(caller), caller, kind, id);
  }

  private async unknownTab(caller: Caller, tabId: string | null | undefined, agentId: string): Promise<RuntimeError> {
    const id = tabId ?? '';
    if (!(await this.storeOf(caller).findTab(caller.tenantId, id))) return this.missing(caller, 'tab', id);
    return notFound(`The dashboard tab "${id}" is not one of agent ${JSON.stringify(agentId)}.`);
  }
}

/** An agent has as many cards as it can. */
export function tooManyCards(): RuntimeError {
  return unprocessable(
    `An agent has at most ${MAX_CARDS} cards. Delete some, or send the idempotencyKey of one that is to be changed.`,
  );
}

function shownCard({ identity: _, createdAt, updatedAt, ...card }: StoredCard): DashboardCard {
  return { ...card, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}

function shownTab({ createdAt, updatedAt, ...tab }: StoredTab): DashboardTab {
  return { ...tab, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}
