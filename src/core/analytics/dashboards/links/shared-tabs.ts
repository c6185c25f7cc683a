import { LRUCache } from 'lru-cache';
import { hashSecret } from '../../../access/auth/secrets.ts';
import type { TenantService } from '../../../access/auth/tenants.ts';
import type { UserStore } from '../../../access/users/store.ts';
import type { Caller } from '../../../base/shared/caller.ts';
import type { Effects } from '../../../base/shared/effects.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';
import { LastUses } from '../../../base/shared/last-uses.ts';
import type { Buckets, Rate, TokenBucket } from '../../../limits/rates/buckets.ts';
import type { Table } from '../../events/schema.ts';
import { type CardRendering, inReadingOrder, type RenderedOne } from '../rendering.ts';
import { MAX_RENDERED } from '../schema.ts';
import type { DashboardService } from '../service.ts';
import type { StoredCard, StoredTab } from '../store.ts';
import { mayStillShare } from './makers.ts';
import { type SharedCard, type SharedPicture, type SharedTab, sharedAnswerSchema, type TabPictures } from './schema.ts';
import type { DashboardLinkStore, StoredLink } from './store.ts';

export interface SharedTabParts {
  store: DashboardLinkStore;
  dashboards: Pick<DashboardService, 'storeOf'>;
  rendering: Pick<CardRendering, 'all'>;
  pictures: TabPictures;
  users: Pick<UserStore, 'find'>;
  tenants: Pick<TenantService, 'find' | 'isBlocked'>;
  buckets: Buckets;
  effects: Effects;
}

/** Who asks: the address alone counts, never a credential. */
export interface LinkVisitor {
  address: string;
  signal?: AbortSignal | undefined;
}

/** A page asks once a minute; many people may look at one link, and from one address. */
const OF_LINK: Rate = { perMinute: 120, burst: 120 };
const OF_ADDRESS: Rate = { perMinute: 120, burst: 240 };

/** Rendering a large tab takes a tenth of a second of the main thread. */
const KEPT_MS = 3_000;
const MAX_RENDERINGS = 20;

/**
 * Tabs that the secret of a link opens. Each method throws `gone`, without a reason, for a
 * link that is unknown, expired or revoked, or whose maker lost the right, and `rate_limited`.
 */
export class SharedTabs {
  private readonly parts: SharedTabParts;
  private readonly uses = new LastUses();
  /** By link, under way or just ended: many visitors at once cost no more than one. */
  private readonly renderings = new LRUCache<string, Promise<RenderedTab>>({ max: MAX_RENDERINGS });

  constructor(parts: SharedTabParts) {
    this.parts = parts;
  }

  /** Throws unless the link opens something. */
  async check(secret: string, visitor: LinkVisitor): Promise<void> {
    await this.open(secret, visitor);
  }

  /** A `SharedTab` as JSON. */
  async read(secret: string, visitor: LinkVisitor): Promise<Uint8Array> {
    const { json } = await this.render(await this.open(secret, visitor));
    await this.requireOpen(secret);
    return json;
  }

  /** An SVG document, or the bytes of a PNG. */
  async picture(
    secret: string,
    type: 'svg' | 'png',
    { look, ...visitor }: LinkVisitor & { look: SharedPicture },
  ): Promise<string | Uint8Array> {
    const caller = await this.open(secret, visitor);
    const { tab } = await this.render(caller);
    const options = { ...look, type, tenantId: caller.tenantId };
    const drawn = await this.parts.pictures.tab(tab, options, visitor.signal);
    await this.requireOpen(secret);
    return drawn;
  }

  /** The link's caller, who may read what its tab shows, within the limits of its maker. */
  private async open(secret: string, { address }: LinkVisitor): Promise<LinkCaller> {
    this.take({ name: `address ${address}`, rate: OF_ADDRESS });
    const { link, timezone } = await this.requireOpen(secret);
    const { id, tenantId, tabId, limits } = link;
    this.take({ name: `link ${id}`, rate: OF_LINK });
    const now = this.parts.effects.now();
    await this.uses.record(id, now, () => this.parts.store.setUsed(tenantId, id, now));
    return {
      ...{ tenantId, tabId, agentId: null, timezone, limits: limits ?? undefined },
      ...{ label: 'shared link', userId: null, role: null },
      scopes: ['dashboards:read'],
      credential: { kind: 'key', id },
    };
  }

  /** Again after the work: what was revoked meanwhile is not answered. */
  private async requireOpen(secret: string): Promise<{ link: StoredLink; timezone: string }> {
    const { store, tenants, users, effects } = this.parts;
    const link = await store.find(hashSecret(secret), effects.now());
    if (link && !tenants.isBlocked(link.tenantId) && (await mayStillShare(users, link))) {
      const tenant = await tenants.find(link.tenantId);
      if (tenant && !tenants.isBlocked(tenant.id)) return { link, timezone: tenant.timezone };
    }
    throw new RuntimeError('gone', 'This link has ended, or never was valid. Ask the person who gave it to you.');
  }

  private render(caller: LinkCaller): Promise<RenderedTab> {
    const { id } = caller.credential;
    const known = this.renderings.get(id);
    if (known) return known;
    const rendering = this.renderNow(caller);
    this.renderings.set(id, rendering);
    const forget = () => this.renderings.delete(id);
    rendering.then(() => setTimeout(forget, KEPT_MS).unref(), forget);
    return rendering;
  }

  /** Without the signal of a visitor, whose leaving must not fail the others. */
  private async renderNow(caller: LinkCaller): Promise<RenderedTab> {
    const content = await this.contentOf(caller);
    const shown = inReadingOrder(content.cards).slice(0, MAX_RENDERED);
    const ids = shown.map(({ id }) => id);
    const found = shown.map((value) => ({ status: 'fulfilled', value }) as const);
    const rendered = await this.parts.rendering.all(caller, ids, found, 'dashboards:read', {});
    const cards = shown.map((card, index) => sharedCard(card, rendered[index]!, index + 1));
    const tab = { title: content.tab.name, total: content.cards.length, cards };
    return { tab, json: Buffer.from(JSON.stringify(tab)) };
  }

  private async contentOf(caller: LinkCaller): Promise<{ tab: StoredTab; cards: StoredCard[] }> {
    const store = this.parts.dashboards.storeOf(caller);
    const tab = await store.findTab(caller.tenantId, caller.tabId);
    // Its link goes with it.
    if (!tab) throw new RuntimeError('gone', 'This tab was deleted.');
    const cards = await store.listCards(caller.tenantId, tab.agentId);
    return { tab, cards: cards.filter(({ tabId }) => tabId === tab.id) };
  }

  private take(bucket: TokenBucket): void {
    const lacking = this.parts.buckets.takeEach([bucket]);
    if (!lacking) return;
    const message = 'Too many requests of this link or address. Try again later.';
    throw new RuntimeError('rate_limited', message, { retryAfter: lacking.retryAfter });
  }
}

type LinkCaller = Caller & { tabId: string };

interface RenderedTab {
  tab: SharedTab;
  json: Uint8Array;
}

function sharedCard({ title, cardType, gridLayout, config }: StoredCard, one: RenderedOne, number: number): SharedCard {
  const card = { number, title, cardType, gridLayout };
  if (!('rendered' in one)) return { ...card, answer: null };
  const { data, basis } = one.rendered;
  const shown = 'rows' in data && config.mode === 'raw' ? withoutIds(data) : data;
  return { ...card, answer: sharedAnswerSchema.parse({ data: shown, basis }) };
}

/** Columns of single events that name them, or lead to others. */
const ID_COLUMNS = new Set(['id', 'agentId', 'threadId', 'executionId']);

function withoutIds({ columns, rows, ...table }: Table): Table {
  const isShown = (key: string) => !ID_COLUMNS.has(key);
  const shown = (row: object) => Object.fromEntries(Object.entries(row).filter(([key]) => isShown(key)));
  return { ...table, columns: columns.filter(({ key }) => isShown(key)), rows: rows.map(shown) };
}
