import { SelectField, TextField, typing } from '../../../ui/field.tsx';

const CHOICES = [
  { value: 'ever', label: 'For ever' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '730', label: 'Two years' },
  { value: 'other', label: 'So many days' },
] as const;

/** For how long something is kept, as a person chooses it. */
interface Period {
  choice: (typeof CHOICES)[number]['value'];
  /** The days that are typed for `other`. */
  days: string;
}

/** `days`: null is for ever. */
export function periodOf(days: number | null): Period {
  const choice = days === null ? 'ever' : (CHOICES.find(({ value }) => value === String(days))?.value ?? 'other');
  return { choice, days: String(days ?? '') };
}

export function daysIn({ choice, days }: Period): number | null {
  return choice === 'ever' ? null : Number(choice === 'other' ? days : choice);
}

interface PeriodFieldProps {
  /** "events" */
  noun: string;
  help: string;
  value: Period;
  error: string | undefined;
  onChange(period: Period): void;
}

export function PeriodField({ noun, help, value, error, onChange }: PeriodFieldProps) {
  const { choice, days } = value;
  return (
    <>
      <SelectField
        label={`Keep ${noun}`}
        help={help}
        error={choice === 'other' ? undefined : error}
        value={choice}
        options={CHOICES}
        onChoose={(chosen) => onChange({ ...value, choice: chosen })}
      />
      {choice === 'other' && (
        <TextField
          label={`Days of ${noun}`}
          type="number"
          min={1}
          max={36_500}
          inputMode="numeric"
          error={error}
          {...typing(days, (text) => onChange({ ...value, days: text }))}
        />
      )}
    </>
  );
}
