import { SelectField } from '../ui/field.tsx';
import { useKnownSegments } from './known-segments.ts';
import { segmentOptions } from './segment-words.ts';

interface SegmentFieldProps {
  /** The name of a segment; empty: all events. */
  value: string;
  error?: string | undefined;
  onChange(name: string): void;
}

/** The choice of whose events count, for users who may read segments; not shown while there is nothing to choose. */
export function SegmentField({ value, error, onChange }: SegmentFieldProps) {
  const known = useKnownSegments();
  if (known === undefined || (known.length === 0 && value === '')) return null;
  const options = segmentOptions(known, value);
  return <SelectField label="Segment" value={value} options={options} error={error} onChoose={onChange} />;
}
