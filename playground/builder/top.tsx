import type { PartProps } from './form.js';
import { leadingGroups } from './question.js';
import { changeQuestion } from './work.js';

/** The leading values of a group that are shown apart, by what they lead; the others are one row. */
export function TopPicker({ subject, question }: PartProps) {
  const groups = leadingGroups(question, subject);
  const { top } = question;
  if (!subject.top || (groups.length === 0 && !top)) return null;
  const [least, most] = subject.top.bounds;
  const set = (part: Partial<NonNullable<typeof top>>) => {
    const by = question.measures.find((name) => subject.top?.by.includes(name));
    const usual = { by: by ?? subject.top?.by[0] ?? '', of: groups[0], ...top };
    const { count, of, ...others } = { count: 0, ...usual, ...part };
    const next = count > 0 ? { ...others, count, ...(of && { of }) } : undefined;
    changeQuestion({ top: next }, subject);
  };
  return (
    <>
      <label title={subject.top.description}>
        Leading values{' '}
        <input
          type="number"
          min={least}
          max={most}
          placeholder="all"
          value={top?.count ?? ''}
          onChange={({ target }) => set({ count: Math.floor(Number(target.value)) })}
        />
      </label>
      {top && (
        <>
          <Choice
            label="Leading values of"
            names={subject.dimensions.filter(({ name }) => groups.includes(name))}
            chosen={top.of}
            onChoose={(of) => set({ of })}
          />
          <Choice
            label="They lead by"
            names={subject.measures.filter(({ name }) => subject.top?.by.includes(name))}
            chosen={top.by}
            onChoose={(by) => set({ by })}
          />
        </>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly { readonly name: string; readonly label: string }[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

function Choice({ label, names, chosen, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {names.map((item) => (
          <option key={item.name} value={item.name}>
            {item.label}
          </option>
        ))}
      </select>
    </label>
  );
}
