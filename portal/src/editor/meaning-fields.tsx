import { type Bound, bind } from '../ui/bind.ts';
import { TextArea, TextField } from '../ui/field.tsx';
import { nameOfTitle } from './values.ts';

interface Named {
  title: string;
  name: string;
  description: string;
}

interface MeaningFieldsProps {
  part: Bound<Named>;
  /** A name never changes. */
  isNew: boolean;
  titlePlaceholder?: string;
  nameHelp: string;
  descriptionHelp: string;
}

/** The title, the name and the description of a metric or a segment. */
export function MeaningFields({ part, isNew, titlePlaceholder, nameHelp, descriptionHelp }: MeaningFieldsProps) {
  const field = bind(part);
  return (
    <>
      <div className="fields">
        <TextField label="Title" placeholder={titlePlaceholder} maxLength={200} {...field.text('title')} />
        {isNew && (
          <TextField
            label="Name"
            help={`${nameHelp} If empty, it is made of the title.`}
            placeholder={nameOfTitle(part.form.title)}
            maxLength={100}
            {...field.text('name')}
          />
        )}
      </div>
      <TextArea label="Description" help={descriptionHelp} maxLength={2_000} {...field.text('description')} />
    </>
  );
}
