import { MemoryBudget } from '../../../base/concurrency/memory-budget.ts';
import type { ToolCall } from '../provider.ts';
import type { ChatRequest } from '../schema.ts';
import { recordedRequest, recordedSize } from './record.ts';

/** Characters of an answer and its calls. */
const MAX_ANSWER = 4 * 1024 * 1024;
/** Characters of all running chats. */
const MAX_MEMORY = 128 * 1024 * 1024;
const PORTION = 4 * 1024;

export interface TranscriptLimits {
  answer: number;
  memory: number;
}

/** Memory budget of running chats' records. Content beyond it is not recorded. */
export class Transcripts {
  private readonly withContent: boolean;
  private readonly maxAnswer: number;
  private readonly memory: MemoryBudget;

  constructor(withContent: boolean, limits: TranscriptLimits = { answer: MAX_ANSWER, memory: MAX_MEMORY }) {
    this.withContent = withContent;
    this.maxAnswer = limits.answer;
    this.memory = new MemoryBudget(limits.memory);
  }

  begin(tenantId: string, requested: ChatRequest): ChatTranscript {
    const { withContent, maxAnswer, memory } = this;
    return new ChatTranscript({ withContent, maxAnswer, memory, tenantId, requested });
  }
}

interface TranscriptParts {
  withContent: boolean;
  maxAnswer: number;
  memory: MemoryBudget;
  tenantId: string;
  requested: ChatRequest;
}

export class ChatTranscript {
  readonly request: ChatRequest;
  readonly calls: ToolCall[] = [];
  isTruncated = false;
  private readonly memory: MemoryBudget;
  private readonly tenantId: string;
  private joined = '';
  private parts: string[] = [];
  private isClosed: boolean;
  /** Characters: reserved, of those unused, and still allowed. */
  private reserved = 0;
  private unused = 0;
  private remaining: number;

  constructor({ withContent, maxAnswer, memory, tenantId, requested }: TranscriptParts) {
    this.memory = memory;
    this.tenantId = tenantId;
    this.remaining = maxAnswer;
    this.isClosed = !withContent;
    const request = recordedRequest(requested, withContent);
    const isRecorded = !withContent || this.reserve(recordedSize({ request }));
    this.request = isRecorded ? request : recordedRequest(requested, false);
    this.isTruncated = !isRecorded;
  }

  get text(): string {
    this.join();
    return this.joined;
  }

  requestWith(instructions: string | undefined): ChatRequest {
    const isRecorded = this.request.messages.length > 0;
    return isRecorded ? { ...this.request, instructions } : this.request;
  }

  add(text: string): void {
    if (this.fits(text.length)) this.parts.push(text);
    else if (this.unused > 0) {
      this.parts.push(text.slice(0, this.unused).toWellFormed());
      this.unused = 0;
    }
  }

  call(call: ToolCall): void {
    if (this.fits(JSON.stringify(call).length)) this.calls.push(call);
    else this.unused = 0;
  }

  /** The recorder accounts for the content now. */
  release(): void {
    this.memory.release(this.tenantId, this.reserved);
    this.reserved = 0;
    this.isClosed = true;
  }

  private fits(length: number): boolean {
    if (length > this.unused && !this.extend(length)) return false;
    this.unused -= length;
    return true;
  }

  private extend(length: number): boolean {
    if (this.isClosed) return false;
    this.join();
    const portion = Math.min(Math.max(length, PORTION), this.remaining);
    if (this.reserve(portion)) {
      this.remaining -= portion;
      this.unused += portion;
    }
    if (length <= this.unused) return true;
    this.isClosed = true;
    this.isTruncated = true;
    return false;
  }

  private reserve(characters: number): boolean {
    if (!this.memory.tryReserve(this.tenantId, characters)) return false;
    this.reserved += characters;
    return true;
  }

  /** Copies the parts: each is a slice that keeps its whole read in memory. */
  private join(): void {
    this.joined += this.parts.join('');
    this.parts = [];
  }
}
