import { t } from '../language/index.ts';
import { LANGUAGE_CHOICES } from '../language/language.ts';
import { TimeZoneField } from '../question/fields/time-fields.tsx';
import { type Bound, bind } from '../ui/bind.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import {
  MAX_TARGETS,
  newTarget,
  OTHER,
  SCHEDULES,
  type ScheduleForm,
  type SendingForm,
  scheduleChoice,
  scheduleInWords,
  TARGET_TYPES,
  type TargetRow,
} from './state.ts';

/** The fields of a schedule, by name or as a cron expression, with the time zone and the language of its messages. */
export function ScheduleFields(part: Bound<ScheduleForm & Pick<SendingForm, 'language'>>) {
  const field = bind(part);
  return (
    <div className="fields">
      <SelectField<string>
        label={t('When')}
        value={scheduleChoice(part.form.every)}
        options={[...SCHEDULES, { value: OTHER, label: t('As the expression says') }]}
        onChoose={(chosen) => part.onChange({ every: chosen === OTHER ? '' : chosen })}
      />
      <TextField
        label={t('Cron expression')}
        help={scheduleInWords(part.form.every) ?? t('Minute, hour, day, month, weekday.')}
        placeholder="30 9 * * 1-5"
        spellCheck={false}
        {...field.text('every')}
        maxLength={100}
      />
      <TimeZoneField {...field.value('timezone')} />
      <SelectField label={t('Language of messages')} options={LANGUAGE_CHOICES} {...field.choice('language')} />
    </div>
  );
}

interface TargetRowsProps extends Bound<{ targets: TargetRow[] }> {
  /** The meaning of an empty list. */
  none: string;
}

/** A row for each target. */
export function TargetRows({ form: { targets: rows }, none, messages, onChange: change }: TargetRowsProps) {
  const onChange = (targets: TargetRow[]) => change({ targets });
  const list = messages.at('targets');
  return (
    <fieldset className="rows">
      <legend className="visually-hidden">{t('Targets')}</legend>
      {list && <p className="field-error">{list}</p>}
      {rows.length === 0 && <p className="muted">{none}</p>}
      {rows.map((row, index) => (
        <TargetFields
          key={row.id}
          form={row}
          index={index}
          messages={messages}
          onChange={(members) => onChange(rows.toSpliced(index, 1, { ...row, ...members }))}
          onRemove={() => onChange(rows.toSpliced(index, 1))}
        />
      ))}
      {rows.length < MAX_TARGETS && (
        <Button icon="add" onClick={() => onChange([...rows, newTarget()])}>
          {t('Add target')}
        </Button>
      )}
    </fieldset>
  );
}

interface TargetFieldsProps extends Bound<TargetRow> {
  index: number;
  onRemove(): void;
}

function TargetFields({ index, onRemove, ...part }: TargetFieldsProps) {
  const { messages } = part;
  const { type } = part.form;
  const field = bind(part);
  const path = `targets[${index}]`;
  const number = index + 1;
  const ofField = messages.at(`${path}.${type === 'email' ? 'to' : 'url'}`);
  const error = [messages.at(path), ofField].filter(Boolean).join('. ') || undefined;
  return (
    <div className="target-row">
      <SelectField label={t('Kind of target {number}', { number })} options={TARGET_TYPES} {...field.choice('type')} />
      {type === 'email' ? (
        <TextField
          label={t('Addresses of target {number}', { number })}
          help={t('Separated by commas.')}
          placeholder="ada@example.com"
          {...field.text('to')}
          error={error}
        />
      ) : (
        <TextField
          label={t('URL of target {number}', { number })}
          type="url"
          help={
            type === 'webhook'
              ? t('Gets signed POST requests.')
              : t('Of an incoming webhook of Slack, Mattermost, Rocket.Chat or Discord. It is not shown again.')
          }
          placeholder={type === 'webhook' ? 'https://example.com/hooks' : 'https://hooks.slack.com/services/…'}
          {...field.text('url')}
          error={error}
        />
      )}
      <IconButton icon="trash" label={t('Remove target {number}', { number })} onClick={onRemove} />
    </div>
  );
}
