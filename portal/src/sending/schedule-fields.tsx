import type { FieldMessages } from '../question/messages.ts';
import { TimeZoneField } from '../question/time-zone-field.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { choiceOf, OTHER, SCHEDULES, type ScheduleForm, scheduleName } from './schedule.ts';

interface ScheduleFieldsProps {
  form: ScheduleForm;
  messages: FieldMessages;
  onChange(members: Partial<ScheduleForm>): void;
}

/** The fields of a schedule: by name or as a cron expression, and the time zone of both. */
export function ScheduleFields({ form: { every, timezone }, messages, onChange }: ScheduleFieldsProps) {
  return (
    <div className="fields">
      <SelectField<string>
        label="When"
        value={choiceOf(every)}
        options={[...SCHEDULES, { value: OTHER, label: 'As the expression says' }]}
        onChoose={(chosen) => onChange({ every: chosen === OTHER ? '' : chosen })}
      />
      <TextField
        label="Cron expression"
        help="Minute, hour, day, month, weekday."
        placeholder="30 9 * * 1-5"
        spellCheck={false}
        value={every}
        maxLength={100}
        error={messages.at('every')}
        onChange={(event) => onChange({ every: event.currentTarget.value })}
      />
      <TimeZoneField
        value={timezone}
        error={messages.at('timezone')}
        onChange={(zone) => onChange({ timezone: zone })}
      />
    </div>
  );
}

/** A schedule in words: "Daily at 8:00, Europe/Berlin". */
export function Schedule({ every, timezone }: ScheduleForm) {
  const name = scheduleName(every);
  return (
    <>
      {name === null ? <code>{every}</code> : name}, {timezone}
    </>
  );
}
