import { MemoryBudget } from '../../concurrency/memory-budget.ts';
import type { ToolCall } from '../provider.ts';
import type { ChatRequest } from '../schema.ts';
import { recordedRequest, sizeOf } from './record.ts';

/** Recorded characters of an answer with its calls. */
const MAX_ANSWER = 4 * 1024 * 1024;
/** Characters of all running chats: as many as the bytes of requests in memory. */
const MAX_MEMORY = 128 * 1024 * 1024;
/** Characters reserved and joined at once: a part of an answer has only a few. */
const PORTION = 4 * 1024;

export interface TranscriptLimits {
  answer: number;
  memory: number;
}

/** The memory of running chats for their records. Content beyond the budget is not recorded. */
export class Transcripts {
  private readonly withContent: boolean;
  private readonly maxAnswer: number;
  private readonly memory: MemoryBudget;

  /** `withContent`: whether messages and answers are recorded, or only facts about them. */
  constructor(withContent: boolean, limits: TranscriptLimits = { answer: MAX_ANSWER, memory: MAX_MEMORY }) {
    this.withContent = withContent;
    this.maxAnswer = limits.answer;
    this.memory = new MemoryBudget(limits.memory);
  }

  begin(tenantId: string, requested: ChatRequest): Transcript {
    const { withContent, maxAnswer, memory } = this;
    return new Transcript({ withContent, maxAnswer, memory, tenantId, requested });
  }
}

interface TranscriptParts {
  withContent: boolean;
  maxAnswer: number;
  memory: MemoryBudget;
  tenantId: string;
  requested: ChatRequest;
}

/** The content of one chat's record. */
export class Transcript {
  /** The recorded part of the request. */
  readonly request: ChatRequest;
  readonly calls: ToolCall[] = [];
  /** Whether content is missing because it was too large. */
  isTruncated = false;
  private readonly memory: MemoryBudget;
  private readonly tenantId: string;
  private joined = '';
  private parts: string[] = [];
  private isClosed: boolean;
  /** Characters reserved of the budget, reserved but not used, and allowed in the future. */
  private reserved = 0;
  private unused = 0;
  private remaining: number;

  constructor({ withContent, maxAnswer, memory, tenantId, requested }: TranscriptParts) {
    this.memory = memory;
    this.tenantId = tenantId;
    this.remaining = maxAnswer;
    this.isClosed = !withContent;
    const request = recordedRequest(requested, withContent);
    const isRecorded = !withContent || this.reserve(sizeOf({ request }));
    this.request = isRecorded ? request : recordedRequest(requested, false);
    this.isTruncated = !isRecorded;
  }

  get text(): string {
    this.join();
    return this.joined;
  }

  /** The request with the instructions of the answering provider, which may be a fallback. */
  requestWith(instructions: string | undefined): ChatRequest {
    const isRecorded = this.request.messages.length > 0;
    return isRecorded ? { ...this.request, instructions } : this.request;
  }

  /** Called for each part of an answer, so it must be fast. */
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

  /** Releases its memory: the recorder accounts for the content now. */
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
