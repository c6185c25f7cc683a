import { TOOL_CALLED } from '../events/fields.ts';
import { type EventRecorder, runtimeEvent } from '../events/recorder.ts';
import type { EventStore } from '../events/store.ts';
import { type Caller, requireScope } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import type { ReportGap } from './schema.ts';

export interface FeedbackParts {
  recorder: Pick<EventRecorder, 'record'>;
  events: Pick<EventStore, 'append'>;
  effects: Effects;
}

/** A call of an MCP tool. Its arguments and answer are never recorded. */
export interface ToolCall {
  tool: string;
  outcome: string;
  durationMs: number;
  intent: string | undefined;
}

export const GAP_REPORTED = 'runtime.gap_reported';

/** What agents tell the people who run this server, as events that questions can be asked about. */
export class AgentFeedback {
  private readonly parts: FeedbackParts;

  constructor(parts: FeedbackParts) {
    this.parts = parts;
  }

  /** In the background. */
  toolCalled(caller: Caller, call: ToolCall): void {
    this.parts.recorder.record(caller, TOOL_CALLED, call);
  }

  /** Durable. Returns the id of the event. */
  async reportGap(caller: Caller, gap: ReportGap): Promise<string> {
    requireScope(caller, 'mcp:read');
    const { events, effects } = this.parts;
    const event = runtimeEvent(caller, GAP_REPORTED, gap, effects);
    await events.append(caller.tenantId, [event]);
    return event.id;
  }
}
