import type { Caller } from '../../base/shared/caller.ts';
import type { ChatCandidate } from './open-answer.ts';
import type { EndedChat } from './recording/record.ts';

export interface ChatReservation {
  /** Reserves this candidate's cost too. False if that exceeds a budget. */
  extend(candidate: ChatCandidate): Promise<boolean>;
  /** Counts the usage and frees the rest. Call it once. */
  settle(ended: EndedChat): void;
}

export interface BudgetReserver {
  /** Throws `rate_limited`, naming the exhausted budget. Durable when it resolves. */
  reserve(caller: Caller, executionId: string, candidate: ChatCandidate): Promise<ChatReservation>;
}
