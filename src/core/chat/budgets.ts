import type { Caller } from '../shared/caller.ts';
import type { Candidate } from './open-answer.ts';
import type { EndedChat } from './recording/record.ts';

/** What a chat reserves of its caller's budgets until its end. */
export interface ChatReservation {
  /** Reserves what this candidate may cost, too. False if it exceeds the budgets. */
  extend(candidate: Candidate): Promise<boolean>;
  /** Counts what the chat used and frees the rest. Call it once, at the end. */
  settle(ended: EndedChat): void;
}

export interface BudgetReserver {
  /** Throws `rate_limited`, naming the exhausted budget. Durable when it resolves. */
  reserve(caller: Caller, executionId: string, candidate: Candidate): Promise<ChatReservation>;
}
