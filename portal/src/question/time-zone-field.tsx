import { Combobox } from '../ui/combobox.tsx';

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const SUGGESTIONS = ZONES.map((value) => ({ value }));

interface TimeZoneFieldProps {
  value: string;
  error?: string | undefined;
  onChange(zone: string): void;
}

export function TimeZoneField({ value, error, onChange }: TimeZoneFieldProps) {
  return (
    <Combobox
      label="Time zone"
      value={value}
      suggestions={SUGGESTIONS}
      placeholder="That of the workspace"
      error={error}
      onChange={onChange}
    />
  );
}
