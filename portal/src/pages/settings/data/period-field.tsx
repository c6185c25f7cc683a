import { t } from '../../../language/index.ts';
import { SelectField, TextField, typing } from '../../../ui/field.tsx';

const CHOICES = [
  { value: 'ever', label: t('For ever') },
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '365', label: t('One year') },
  { value: '730', label: t('Two years') },
  { value: 'other', label: t('So many days') },
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
  label: string;
  /** The label of the days that are typed. */
  daysLabel: string;
  help: string;
  value: Period;
  error: string | undefined;
  onChange(period: Period): void;
}

export function PeriodField({ label, daysLabel, help, value, error, onChange }: PeriodFieldProps) {
  const { choice, days } = value;
  return (
    <>
      <SelectField
        label={label}
        help={help}
        error={choice === 'other' ? undefined : error}
        value={choice}
        options={CHOICES}
        onChoose={(chosen) => onChange({ ...value, choice: chosen })}
      />
      {choice === 'other' && (
        <TextField
          label={daysLabel}
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
