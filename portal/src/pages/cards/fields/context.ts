import type { FieldMessages } from '../../../api/field-messages.ts';
import { bind } from '../../../ui/bind.ts';
import type { CardType, Members } from '../state.ts';

/** The props of each part of the form. */
export interface PartProps {
  cardType: CardType;
  members: Members;
  /** The event whose properties suit filters and groups. */
  asked: string;
  /** The card's agent. */
  agent: string;
  messages: FieldMessages;
  onChange(changes: Partial<Members>): void;
}

/** Binds fields to the members of the card's config. */
export function bindMembers({ members, messages, onChange }: PartProps) {
  return bind({ form: members, messages, onChange }, 'config.');
}
