import type { ContentBlockDeltaEvent, ConverseStreamOutput, TokenUsage } from '@aws-sdk/client-bedrock-runtime';
import type { ChatUsage, FinishReason } from '../../core/agents/chat/provider.ts';
import { type EventBatch, usageOf } from '../shared/reading.ts';
import { ThoughtCollector } from '../shared/turns.ts';

const FINISH_REASONS: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
};

interface OpenBlock {
  call?: { id: string; name: string; arguments: string };
  thought?: { text: string; signature: string; redacted: Uint8Array[] };
}

/** `messageStop` makes the answer whole, the `metadata` after it closes it. */
export class ConverseReader {
  private finishReason: FinishReason | null = null;
  private hasMetadata = false;
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly thoughts = new ThoughtCollector();

  get state(): 'open' | 'whole' | 'closed' {
    if (this.finishReason === null) return 'open';
    return this.hasMetadata ? 'closed' : 'whole';
  }

  read(event: ConverseStreamOutput, batch: EventBatch): void {
    if (event.contentBlockDelta) this.readDelta(event.contentBlockDelta, batch);
    else if (event.contentBlockStart)
      this.begin(event.contentBlockStart.contentBlockIndex!, event.contentBlockStart.start);
    else if (event.contentBlockStop) this.stop(event.contentBlockStop.contentBlockIndex!, batch);
    else if (event.messageStop) this.finishReason = FINISH_REASONS[event.messageStop.stopReason ?? ''] ?? 'other';
    else if (event.metadata) {
      this.hasMetadata = true;
      if (event.metadata.usage) batch.add({ type: 'usage', usage: readUsage(event.metadata.usage) });
    }
  }

  end(batch: EventBatch): void {
    batch.finish(this.finishReason ?? 'other');
  }

  private begin(index: number, start: NonNullable<ConverseStreamOutput['contentBlockStart']>['start']): void {
    const tool = start?.toolUse;
    if (tool && tool.type === undefined) {
      this.blocks.set(index, { call: { id: tool.toolUseId ?? '', name: tool.name ?? '', arguments: '' } });
    } else {
      this.thoughts.observe('other');
    }
  }

  private readDelta({ contentBlockIndex, delta }: ContentBlockDeltaEvent, batch: EventBatch): void {
    if (delta?.text !== undefined) {
      this.thoughts.observe('text');
      batch.text(delta.text);
    } else if (delta?.toolUse) {
      const call = this.blocks.get(contentBlockIndex!)?.call;
      if (call) call.arguments += delta.toolUse.input ?? '';
    } else if (delta?.reasoningContent) {
      const thought = this.thoughtAt(contentBlockIndex!);
      const { text, signature, redactedContent } = delta.reasoningContent;
      thought.text += text ?? '';
      thought.signature += signature ?? '';
      if (redactedContent) thought.redacted.push(redactedContent);
      batch.reasoning(text ?? '');
    }
  }

  private thoughtAt(index: number): NonNullable<OpenBlock['thought']> {
    const block = this.blocks.get(index) ?? {};
    block.thought ??= { text: '', signature: '', redacted: [] };
    this.blocks.set(index, block);
    return block.thought;
  }

  private stop(index: number, batch: EventBatch): void {
    const { call, thought } = this.blocks.get(index) ?? {};
    this.blocks.delete(index);
    if (thought && thought.redacted.length > 0) {
      this.thoughts.add({ type: 'redacted_thinking', data: Buffer.concat(thought.redacted).toString('base64') });
    } else if (thought) {
      this.thoughts.add({ type: 'thinking', thinking: thought.text, signature: thought.signature });
    }
    if (!call) return;
    const { id, name, arguments: text } = call;
    const whole = { id, type: 'function' as const, function: { name, arguments: text || '{}' } };
    batch.add({ type: 'tool_call', call: this.thoughts.attachTo(whole) });
  }
}

/** Bedrock counts cached input apart from other input. */
function readUsage(usage: TokenUsage): ChatUsage {
  const cached = usage.cacheReadInputTokens ?? 0;
  const written = usage.cacheWriteInputTokens ?? 0;
  return usageOf((usage.inputTokens ?? 0) + cached + written, usage.outputTokens ?? 0, { cached, written });
}
