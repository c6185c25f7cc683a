import { type ComponentProps, type ReactNode, type SubmitEvent, useId } from 'react';

export interface FieldProps {
  label: string;
  help?: ReactNode;
  /** A message of the server or of the page. */
  error?: string | undefined;
}

interface Described {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

/** A label, the control and its messages, which screen readers read with it. */
export function Field({ label, help, error, children }: FieldProps & { children(props: Described): ReactNode }) {
  const id = useId();
  const described = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error !== undefined, 'aria-describedby': described || undefined })}
      {help && (
        <p id={`${id}-help`} className="field-help">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

export function TextField({ label, help, error, ...rest }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} help={help} error={error}>
      {(props) => <input className="input" {...rest} {...props} />}
    </Field>
  );
}

/** The props of a field whose text the page itself holds. */
export const typing = (value: string, onType: (text: string) => void) => ({
  value,
  onChange: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
});

/** The browser's own list, for few options. */
export function SelectField<Value extends string>({
  label,
  help,
  error,
  value,
  options,
  onChoose,
}: FieldProps & {
  value: Value;
  options: readonly { value: NoInfer<Value>; label: string }[];
  onChoose(value: NoInfer<Value>): void;
}) {
  return (
    <Field label={label} help={help} error={error}>
      {(props) => (
        <select
          className="input"
          value={value}
          onChange={(event) => onChoose(event.currentTarget.value as Value)}
          {...props}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A field for several lines of prose. */
export function TextArea({ label, help, error, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} help={help} error={error}>
      {(props) => <textarea className="input prose" rows={3} {...rest} {...props} />}
    </Field>
  );
}

interface CheckProps {
  label: string;
  help?: string | undefined;
  checked: boolean;
  disabled?: boolean;
  onChange(isChecked: boolean): void;
}

/** A check box, and a sentence below it. */
export function Check({ label, help, onChange, ...rest }: CheckProps) {
  const id = useId();
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          aria-describedby={help && id}
          onChange={(event) => onChange(event.currentTarget.checked)}
          {...rest}
        />
        {label}
      </label>
      {help && (
        <p id={id} className="field-help">
          {help}
        </p>
      )}
    </>
  );
}

/** A form that the page sends itself. The server checks its fields, and says at them what is wrong. */
export function Form({
  onSubmit,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit(form: HTMLFormElement): void }) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  return <form className="stack" noValidate {...rest} onSubmit={submit} />;
}
