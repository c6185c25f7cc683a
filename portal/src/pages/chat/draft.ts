import { DRAFTS, store, stored } from '../../ui/stored.ts';
import { type Conversation, newConversation, restored } from './state/conversation.ts';

const keyOf = (userId: string) => `${DRAFTS}${userId} chat`;

/** The conversation that this browser kept; null if there is none. */
export function keptConversation(userId: string): Conversation | null {
  const text = stored('localStorage', keyOf(userId));
  if (text === undefined) return null;
  try {
    const kept = JSON.parse(text) as Conversation;
    return restored({ ...newConversation(kept.threadId, kept.sides), ...kept });
  } catch {
    return null;
  }
}

/** False if the browser keeps none, or has no room for it. */
export function keepConversation(userId: string, conversation: Conversation): boolean {
  const isKept = store('localStorage', keyOf(userId), JSON.stringify(conversation));
  // A reload must not bring back an earlier state of it.
  if (!isKept) store('localStorage', keyOf(userId), undefined);
  return isKept;
}
