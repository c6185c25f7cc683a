import type { Caller } from '../shared/caller.ts';
import type { Candidate } from './open-answer.ts';
import type { EndedChat } from './recording/record.ts';

/** What a chat has reserved of its caller's budgets, from before a provider is asked until its end. */
export interface ChatReservation {
  /** Reserves as much as asking this candidate may take, too. False: the budgets have no room for it. */
  extend(candidate: Candidate): Promise<boolean>;
  /** Counts what the chat took, and frees the rest. To be called once, at the end. */
  settle(ended: EndedChat): void;
}

export interface BudgetReserver {
  /** Throws `rate_limited`, naming the budget, when the chat does not fit. Durable when it resolves. */
  reserve(caller: Caller, executionId: string, candidate: Candidate): Promise<ChatReservation>;
}
