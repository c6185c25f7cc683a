import type { FieldMessages } from '../../../question/messages.ts';
import type { CardType, Members } from '../state.ts';

/** What each part of the form gets. */
export interface PartProps {
  cardType: CardType;
  members: Members;
  /** Of the card. */
  agent: string;
  messages: FieldMessages;
  onChange(changes: Partial<Members>): void;
}
