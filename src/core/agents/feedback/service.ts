import { z } from 'zod';
import type { EventQuota } from '../../analytics/events/event-quota.ts';
import { GAP_REPORTED, TOOL_CALLED } from '../../analytics/events/fields.ts';
import { callerEvent, type EventOutbox } from '../../analytics/events/outbox.ts';
import type { Milestones } from '../../analytics/first-hour/milestones.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { RuntimeError, tenantRemoved } from '../../base/shared/errors.ts';
import { textSchema } from '../../base/shared/name-schemas.ts';
import type { Buckets, Rate } from '../../limits/rates/buckets.ts';

const text = (maximum: number) =>
  textSchema.min(1, 'must not be empty').max(maximum, `must have at most ${maximum} characters`);

export const reportGapSchema = z.strictObject({
  question: text(1_000).describe('What was asked.'),
  missing: text(1_000).optional().describe('The event, property, metric or document that would answer it.'),
});
export type ReportGap = z.output<typeof reportGapSchema>;

export interface FeedbackParts {
  outbox: Pick<EventOutbox, 'record' | 'store'>;
  quota: Pick<EventQuota, 'admit'>;
  gaps: Buckets;
  milestones: Pick<Milestones, 'reached'>;
  effects: Effects;
  /** Reports faults of recording in the background. */
  onError(error: unknown): void;
}

/** A call of an MCP tool. Its arguments and answer are never recorded. */
export interface ReportedToolCall {
  tool: string;
  outcome: string;
  durationMs: number;
  intent: string | undefined;
  /** The client's name and version, the revision of the protocol, and the trace, as it says. */
  client?: string | undefined;
  clientVersion?: string | undefined;
  protocol?: string | undefined;
  traceId?: string | undefined;
  /** Why it failed: the code of the error, and the paths of invalid fields. */
  reason?: string | undefined;
}

/** It asks the question of a card. */
const CARD_TOOL = 'render_dashboard_card';

/** The rate of a key, a user or a grant. */
export const GAPS: Rate = { perMinute: 1, burst: 60 };

/**
 * Feedback of agents to the people who run this server, as events that questions can be asked
 * about. They count in the quota.
 */
export class AgentFeedback {
  private readonly parts: FeedbackParts;

  constructor(parts: FeedbackParts) {
    this.parts = parts;
  }

  /** In the background: beyond the quota it is dropped, and the call succeeds all the same. */
  toolCalled(caller: Caller, call: ReportedToolCall): void {
    const { outbox, quota, milestones, onError } = this.parts;
    const client = caller.grant?.client ?? caller.label;
    milestones.reached(caller.tenantId, 'client', { client, tool: call.tool });
    if (call.tool === CARD_TOOL && call.outcome === 'ok') milestones.reached(caller.tenantId, 'question');
    quota.admit(caller, 1).then(
      ({ end }) => {
        outbox.record(caller, TOOL_CALLED, call);
        end(1);
      },
      (error: unknown) => {
        if (!(error instanceof RuntimeError && error.code === 'rate_limited')) onError(error);
      },
    );
  }

  /** Durable. Returns the id of the event. Throws `rate_limited`. */
  async reportGap(caller: Caller, gap: ReportGap): Promise<string> {
    requireScope(caller, 'mcp:read');
    const { outbox, effects, gaps, quota } = this.parts;
    const lacking = gaps.takeEach([{ name: caller.credential.id, rate: GAPS }]);
    if (lacking) {
      const message = `Too many gaps were reported with this key: ${GAPS.burst} at once, then ${GAPS.perMinute} a minute are recorded.`;
      throw new RuntimeError('rate_limited', message, { retryAfter: lacking.retryAfter });
    }
    const event = callerEvent(caller, GAP_REPORTED, gap, effects.now());
    const admitted = await quota.admit(caller, 1);
    let stored: { id: string } | undefined;
    try {
      [stored] = await outbox.store([{ ...event, tenantId: caller.tenantId }]);
    } finally {
      admitted.end(stored ? 1 : 0);
    }
    if (!stored) throw tenantRemoved();
    return stored.id;
  }
}
