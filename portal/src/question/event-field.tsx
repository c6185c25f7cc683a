import { Combobox } from '../ui/combobox.tsx';
import { eventSuggestions, useHasNoEvents, useKnownEvents } from './known.ts';

interface EventFieldProps {
  label?: string;
  value: string;
  /** Undefined: the events of all agents. */
  agent: string | undefined;
  error?: string | undefined;
  onChange(eventName: string): void;
}

export function EventField({ label = 'Event', value, agent, error, onChange }: EventFieldProps) {
  const hasNone = useHasNoEvents(agent);
  const suggestions = eventSuggestions(useKnownEvents(agent));
  return (
    <Combobox
      label={label}
      value={value}
      suggestions={suggestions}
      placeholder="Choose an event"
      help={hasNone && `No events of ${agent === undefined ? 'any agent' : `the agent “${agent}”`} yet.`}
      error={error}
      onChange={onChange}
    />
  );
}
