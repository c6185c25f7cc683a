import { MemoryBudget } from '../../shared/memory-budget.ts';
import type { ToolCall } from '../provider.ts';
import type { ChatRequest } from '../schema.ts';
import { recordedRequest, sizeOf } from './record.ts';

/** Characters of an answer that are recorded, its calls among them. */
const MAX_ANSWER = 4 * 1024 * 1024;
/** Characters that all chats under way may hold for their record: as many as bytes of requests may be sent at once. */
const MAX_HELD = 128 * 1024 * 1024;
/** Characters for which room is taken at once, and which are joined: a part of an answer is only a few. */
const PORTION = 4 * 1024;

export interface TranscriptLimits {
  answer: number;
  held: number;
}

/** What chats hold for their record while they are under way. What finds no room is not recorded, and nobody else hears of it. */
export class Transcripts {
  private readonly withContent: boolean;
  private readonly maxAnswer: number;
  private readonly memory: MemoryBudget;

  /** `withContent`: whether what is said is recorded, or only that it was. */
  constructor(withContent: boolean, limits: TranscriptLimits = { answer: MAX_ANSWER, held: MAX_HELD }) {
    this.withContent = withContent;
    this.maxAnswer = limits.answer;
    this.memory = new MemoryBudget(limits.held);
  }

  begin(tenantId: string, asked: ChatRequest): Transcript {
    const { withContent, maxAnswer, memory } = this;
    return new Transcript({ withContent, maxAnswer, memory, tenantId, asked });
  }
}

interface TranscriptParts {
  withContent: boolean;
  maxAnswer: number;
  memory: MemoryBudget;
  tenantId: string;
  asked: ChatRequest;
}

/** What one chat holds for its record. */
export class Transcript {
  /** What is recorded of what was asked. */
  readonly request: ChatRequest;
  readonly calls: ToolCall[] = [];
  /** Whether something is missing, because it was too much. */
  isTruncated = false;
  private readonly memory: MemoryBudget;
  private readonly tenantId: string;
  private joined = '';
  private parts: string[] = [];
  private isClosed: boolean;
  /** Characters for which room is taken; of those the answer has not used; and those that it may take yet. */
  private reserved = 0;
  private unused = 0;
  private remaining: number;

  constructor({ withContent, maxAnswer, memory, tenantId, asked }: TranscriptParts) {
    this.memory = memory;
    this.tenantId = tenantId;
    this.remaining = maxAnswer;
    this.isClosed = !withContent;
    const request = recordedRequest(asked, withContent);
    const isKept = !withContent || this.reserve(sizeOf({ request }));
    this.request = isKept ? request : recordedRequest(asked, false);
    this.isTruncated = !isKept;
  }

  get text(): string {
    this.join();
    return this.joined;
  }

  /** The same with the instructions of whoever answered: a fallback has defaults of its own. */
  requestWith(instructions: string | undefined): ChatRequest {
    const isKept = this.request.messages.length > 0;
    return isKept ? { ...this.request, instructions } : this.request;
  }

  /** More of the answer. It is called for each part, and has to be quick. */
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

  /** Gives its room back: from now on it is the recorder's. */
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

  /** A part is a cut of the whole read that it came in, and holds it until it is copied. */
  private join(): void {
    this.joined += this.parts.join('');
    this.parts = [];
  }
}
