import { LOCALES, messageTranslator, type TextLanguage } from '../../../language/messages.ts';
import type { CardPictures } from '../../analytics/dashboards/pictures.ts';
import type { RenderedCard } from '../../analytics/dashboards/render.ts';
import type { DashboardService } from '../../analytics/dashboards/service.ts';
import type { AnnotationSource } from '../../analytics/events/questions/answer-schema.ts';
import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound, RuntimeError } from '../../base/shared/errors.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { Message } from '../deliveries/message.ts';
import type { NewDelivery } from '../deliveries/store.ts';
import { nextRun } from '../schedules/cron.ts';
import { type Checkable, isUnavailable, MAX_WAIT_MS, scheduledCaller } from '../schedules/scheduled-service.ts';
import { type DigestCard, digestMessage, digestSummaryOf, failedDigestMessage } from './message.ts';
import { MAX_DIGEST_CARDS } from './schema.ts';
import type { DigestDefinition, DigestStore, LastDigest, StoredDigest } from './store.ts';

export interface DigestSenderParts {
  store: Pick<DigestStore, 'settle'>;
  dashboards: Pick<DashboardService, 'cards' | 'tab' | 'renderMany'>;
  pictures: Pick<CardPictures, 'png'>;
  annotations: AnnotationSource;
  deliveries: Pick<Deliveries, 'openTargets' | 'prepare' | 'requireRoom' | 'wake'>;
  effects: Effects;
  /** The URL of the dashboards; null if this server has no public URL. */
  urlOf(definition: DigestDefinition): string | null;
  onError(error: unknown, digestId: string): void;
}

const PICTURE = { width: 640, height: 360, scale: 2, theme: 'light' } as const;
const INTERNAL = 'an internal error; see the log of the server';

interface MadeDigest {
  lastSent: LastDigest;
  deliveries: NewDelivery[];
}

/** Makes a digest, and commits its messages together with the time of the next. */
export class DigestSender {
  private readonly parts: DigestSenderParts;

  constructor(parts: DigestSenderParts) {
    this.parts = parts;
  }

  /** Rejects, and changes nothing, when this server cannot make it now: it is due still. */
  async send(digest: StoredDigest, signal: AbortSignal): Promise<void> {
    const { store, deliveries, effects } = this.parts;
    const { every, timezone } = digest.definition;
    const now = effects.now();
    const { lastSent, deliveries: messages } = isDueByClockChange(digest, now)
      ? { lastSent: digest.lastSent && { ...digest.lastSent, at: Math.min(digest.lastSent.at, now) }, deliveries: [] }
      : await this.madeOrUnsent(digest, signal);
    const nextDue = nextRun(every, timezone, scheduledAfter(digest, now));
    const isSettled = await store.settle(digest, { at: now, lastSent, nextDue, deliveries: messages });
    if (isSettled && messages.length > 0) deliveries.wake();
  }

  /**
   * If the key of the targets is lost, the tenant has sent too much, or the digest has a defect,
   * records the error in place of a message: a retry would fail as well.
   */
  private async madeOrUnsent(digest: StoredDigest, signal: AbortSignal): Promise<MadeDigest> {
    try {
      const made = await this.make(digest, signal);
      await this.parts.deliveries.requireRoom(digest.tenantId, made.deliveries);
      return made;
    } catch (error) {
      signal.throwIfAborted();
      if (isUnavailable(error)) throw error;
      this.parts.onError(error, digest.id);
      const { values = {} } = digest.lastSent ?? {};
      const reason = error instanceof RuntimeError ? error.message : INTERNAL;
      return { lastSent: { at: this.parts.effects.now(), error: reason, values }, deliveries: [] };
    }
  }

  /** One message for each target. Throws `unprocessable` when the key of the targets is lost. */
  async make(digest: StoredDigest, signal: AbortSignal | undefined): Promise<MadeDigest> {
    const { deliveries, effects } = this.parts;
    const { tenantId, sealedTargets } = digest;
    const source = { kind: 'digest', id: digest.id } as const;
    const targets = deliveries.openTargets(tenantId, source, sealedTargets);
    const hasMail = targets.some(({ type }) => type === 'email');
    const { message, ...made } = await this.message(digest, { hasMail, signal });
    try {
      const prepared = await deliveries.prepare(tenantId, source, { targets, message });
      return { lastSent: { at: effects.now(), ...made }, deliveries: prepared };
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'unprocessable') throw error;
      // A retry would be too large again.
      const [at, reason] = [effects.now(), error.message];
      const failed = failedDigestMessage(
        { id: digest.id, title: digest.definition.title, at, language: languageOf(digest) },
        reason,
      );
      const prepared = await deliveries.prepare(tenantId, source, { targets, message: failed });
      return { lastSent: { at, ...made, error: reason }, deliveries: prepared };
    }
  }

  private async message(
    digest: StoredDigest,
    options: { hasMail: boolean; signal: AbortSignal | undefined },
  ): Promise<{ message: Message } & Omit<LastDigest, 'at'>> {
    const at = this.parts.effects.now();
    const { title } = digest.definition;
    try {
      return { ...(await this.content(digest, options)), error: null };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (isUnavailable(error)) throw error;
      if (!(error instanceof RuntimeError)) this.parts.onError(error, digest.id);
      const reason = error instanceof RuntimeError ? error.message : INTERNAL;
      const message = failedDigestMessage({ id: digest.id, title, at, language: languageOf(digest) }, reason);
      return { message, error: reason, values: digest.lastSent?.values ?? {} };
    }
  }

  private async content(
    digest: StoredDigest,
    { hasMail, signal }: { hasMail: boolean; signal: AbortSignal | undefined },
  ) {
    const { dashboards, annotations, effects, urlOf } = this.parts;
    const { id, tenantId, definition, lastSent, createdAt } = digest;
    const caller = callerOfDigest(digest);
    const at = effects.now();
    const language = languageOf(digest);
    const rendered = await dashboards.renderMany(caller, await this.cardIds(caller, definition), { signal });
    const cards: DigestCard[] = [];
    const values: Record<string, number> = {};
    const pictures = new Map<string, Uint8Array>();
    for (const one of rendered) {
      if ('error' in one) {
        if (isUnavailable(one.error) && at - (digest.nextDue ?? at) < MAX_WAIT_MS) throw one.error;
        const before = lastSent?.values[one.id];
        if (before !== undefined) values[one.id] = before;
        const reason = one.error instanceof RuntimeError ? one.error.message : INTERNAL;
        cards.push({ id: one.id, title: messageTranslator(language)('A card'), error: reason });
        continue;
      }
      const summary = digestSummaryOf(one.rendered, { at, before: lastSent?.values[one.id], language });
      cards.push(summary);
      if (summary.value !== null) values[one.id] = summary.value;
      if (hasMail) pictures.set(one.id, await this.picture(digest, one.rendered, signal));
    }
    const since = lastSent?.at ?? createdAt;
    const noted = await annotations.between(tenantId, since, at);
    const message = digestMessage({
      id,
      title: definition.title,
      cards,
      annotations: noted,
      pictures,
      at,
      url: urlOf(definition),
      language,
    });
    return { message, values };
  }

  private picture(digest: StoredDigest, card: RenderedCard, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { tenantId } = digest;
    return this.parts.pictures.png(card, { ...PICTURE, locale: LOCALES[languageOf(digest)], tenantId }, signal);
  }

  private async cardIds(caller: Caller, { cards }: DigestDefinition): Promise<string[]> {
    if ('cardIds' in cards) return cards.cardIds;
    const { agentId } = await this.parts.dashboards.tab(caller, cards.tabId);
    const all = await this.parts.dashboards.cards(caller, { agentId });
    const shown = all.filter(({ tabId }) => tabId === cards.tabId).slice(0, MAX_DIGEST_CARDS);
    if (shown.length === 0) throw notFound('The tab has no cards.');
    return shown.map(({ id }) => id);
  }
}

function languageOf({ definition: { language = 'en' } }: StoredDigest): TextLanguage {
  return language;
}

/** True if the digest is due only because the clock was set back. It is rescheduled, not sent. */
function isDueByClockChange({ nextDue }: StoredDigest, now: number): boolean {
  return nextDue !== null && nextDue > now;
}

/**
 * After a correction of up to an hour the next time is computed from the last digest, so that none
 * is sent twice.
 */
const SMALL_STEP_MS = 3_600_000;

function scheduledAfter({ lastSent }: StoredDigest, now: number): number {
  const isSmallStep = lastSent !== null && lastSent.at > now && lastSent.at - now <= SMALL_STEP_MS;
  return isSmallStep ? lastSent.at : now;
}

/** It may read dashboards. */
export function callerOfDigest(digest: Checkable<StoredDigest>): Caller {
  return scheduledCaller('digest', digest, ['dashboards:read']);
}
