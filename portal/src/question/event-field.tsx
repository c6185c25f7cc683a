import { Combobox } from '../ui/combobox.tsx';
import { eventSuggestions, useKnownEvents } from './known.ts';

interface EventFieldProps {
  label?: string;
  value: string;
  /** Undefined: the events of all agents. */
  agent: string | undefined;
  error?: string | undefined;
  onChange(eventName: string): void;
}

export function EventField({ label = 'Event', value, agent, error, onChange }: EventFieldProps) {
  const suggestions = eventSuggestions(useKnownEvents(agent));
  return (
    <Combobox
      label={label}
      value={value}
      suggestions={suggestions}
      placeholder="Choose an event"
      error={error}
      onChange={onChange}
    />
  );
}
