import type { FieldMessages } from '../../api/field-messages.ts';
import { t } from '../../language/index.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { chooseRange, DAYS, NO_DATES, PRESETS, type Range, WORDS } from '../state/range.ts';

interface RangeFieldProps {
  /** Tells the fields of several ranges apart: "condition 2". */
  of?: string;
  value: Range;
  /** The label of a range without dates: "Last 30 days (default)", "All time". */
  byDefault: string;
  messages: FieldMessages;
  /** Precedes the dates in the paths of messages: "config.". */
  path: string;
  onChange(range: Range): void;
}

export function RangeField({ of, value, byDefault, messages, path, onChange }: RangeFieldProps) {
  const [fromError, toError] = [messages.at(`${path}dateFrom`), messages.at(`${path}dateTo`)];
  const isOpen = value.choice === DAYS || value.choice === WORDS;
  const type = value.choice === DAYS ? 'date' : 'text';
  return (
    <div className="range">
      <SelectField
        label={of ? t('Time range of {part}', { part: of }) : t('Time range')}
        value={value.choice}
        options={[
          { value: NO_DATES, label: byDefault },
          ...PRESETS,
          { value: DAYS, label: t('From one day to another') },
          { value: WORDS, label: t('Other dates, in words') },
        ]}
        error={isOpen ? undefined : (fromError ?? toError)}
        onChoose={(choice) => onChange(chooseRange(value, choice))}
      />
      {isOpen && (
        <div className="range-ends">
          <TextField
            label={of ? t('From of {part}', { part: of }) : t('From')}
            type={type}
            value={value.from}
            error={fromError}
            onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
          />
          <TextField
            label={of ? t('To of {part}', { part: of }) : t('To')}
            type={type}
            value={value.to}
            error={toError}
            onChange={(event) => onChange({ ...value, to: event.currentTarget.value })}
          />
        </div>
      )}
      {value.choice === WORDS && (
        <p className="field-help">{t('For example -14d, 2026-03, last_week, 2026-Q4 or 2026-03-01T12:00:00Z.')}</p>
      )}
    </div>
  );
}

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
      label={t('Time zone')}
      value={value}
      suggestions={SUGGESTIONS}
      placeholder={t('That of the workspace')}
      error={error}
      onChange={onChange}
    />
  );
}
