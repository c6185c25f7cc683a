import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';

/** A field for several lines of prose. */
export function TextArea({ label, help, error, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} help={help} error={error}>
      {(props) => <textarea className="input prose" rows={3} {...rest} {...props} />}
    </Field>
  );
}
