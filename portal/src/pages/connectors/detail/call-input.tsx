import { t } from '../../../language/index.ts';
import { SelectField, TextArea, TextField, typing } from '../../../ui/field.tsx';
import { type CallField, keyOf } from './call-fields.ts';

interface CallInputProps {
  field: CallField;
  text: string;
  onChange(text: string): void;
}

/** The field of a parameter, as its schema wants it. */
export function CallInput({ field, text, onChange }: CallInputProps) {
  const { name, kind, isRequired, description, choices } = field;
  const label = name === '' ? t('Body') : name;
  const place = isRequired ? t('{place}, required', { place: keyOf(field) }) : keyOf(field);
  const help = description === '' ? place : `${place}: ${description}`;
  if (kind === 'choice' || kind === 'boolean') {
    const values = kind === 'boolean' ? ['true', 'false'] : choices.map(String);
    const options = [{ value: '', label: t('None') }, ...values.map((value) => ({ value, label: value }))];
    return <SelectField label={label} help={help} value={text} options={options} onChoose={onChange} />;
  }
  if (kind === 'json') {
    return (
      <TextArea
        label={label}
        help={`${help} · JSON`}
        rows={4}
        spellCheck={false}
        {...typing(text, onChange)}
        className="input code-input"
      />
    );
  }
  return (
    <TextField
      label={label}
      help={help}
      autoComplete="off"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      {...typing(text, onChange)}
    />
  );
}
