import type { DashboardService } from '../../analytics/dashboards/service.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Page } from '../../base/shared/paging.ts';
import { formatUtc } from '../../base/time/time.ts';
import {
  type Checkable,
  changedSchedule,
  type ScheduledParts,
  ScheduledService,
  type SentTest,
  type ShownScheduled,
} from '../schedules/scheduled-service.ts';
import type { ScheduledQuery } from '../schedules/store.ts';
import type { Digest, DigestsQuery, UpdateDigest } from './schema.ts';
import { callerOfDigest, type DigestSender } from './sender.ts';
import type { DigestDefinition, DigestStore, StoredDigest } from './store.ts';

export interface DigestParts extends ScheduledParts {
  store: DigestStore;
  sender: Pick<DigestSender, 'make'>;
  dashboards: Pick<DashboardService, 'card' | 'tab'>;
}

const DEFAULT_EVERY = '0 8 * * 1';

/** An unknown dashboard or card is `not_found`. */
export class DigestService extends ScheduledService<
  'digest',
  StoredDigest,
  UpdateDigest,
  Digest,
  ScheduledQuery,
  never
> {
  protected readonly kind = 'digest';
  protected readonly maximum = 200;
  protected readonly store: DigestStore;
  private readonly parts: DigestParts;

  constructor(parts: DigestParts) {
    super(parts);
    this.parts = parts;
    this.store = parts.store;
  }

  /** Newest first. */
  list(caller: Caller, { createdBy: maker, ...page }: DigestsQuery): Promise<Page<Digest>> {
    return this.page(caller, { ...page, maker });
  }

  /** Sends the digest now. The next scheduled digest still compares with the last scheduled one. */
  async test(caller: Caller, id: string, signal?: AbortSignal): Promise<SentTest[]> {
    return (await this.sendTest(caller, id, signal)).deliveries;
  }

  protected defaults({ timezone }: Caller): DigestDefinition {
    return { title: '', every: DEFAULT_EVERY, timezone, enabled: true, cards: { cardIds: [] } };
  }

  protected changed(before: DigestDefinition, changes: UpdateDigest): DigestDefinition {
    const { tabId, cardIds } = changes;
    const cards = tabId !== undefined ? { tabId } : cardIds !== undefined ? { cardIds } : before.cards;
    return { ...changedSchedule(before, changes), cards };
  }

  protected initialState() {
    return { lastSent: null };
  }

  /** Targets and times of a digest whose cards are gone can still be changed. */
  protected revise(_caller: Caller, _stored: StoredDigest, { changes }: { changes: UpdateDigest }) {
    const isNew = changes.tabId !== undefined || changes.cardIds !== undefined || changes.enabled === true;
    return { isNew, state: {}, change: null };
  }

  protected async checkDefinition(_caller: Caller, digest: Checkable<StoredDigest>): Promise<void> {
    const { cards } = digest.definition;
    const { dashboards } = this.parts;
    const caller = callerOfDigest(digest);
    if ('tabId' in cards) await dashboards.tab(caller, cards.tabId);
    else for (const id of cards.cardIds) await dashboards.card(caller, id);
  }

  protected async tested(_caller: Caller, digest: StoredDigest, signal: AbortSignal | undefined) {
    return { found: {}, messages: (await this.parts.sender.make(digest, signal)).deliveries };
  }

  protected shownState({ definition, lastSent, nextDue }: StoredDigest): Omit<Digest, keyof ShownScheduled> {
    return {
      ...definition.cards,
      lastSent: lastSent && { at: formatUtc(lastSent.at), error: lastSent.error },
      nextAt: nextDue === null ? null : formatUtc(nextDue),
    };
  }
}
