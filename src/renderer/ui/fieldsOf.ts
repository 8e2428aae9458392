type Change = (part: never) => unknown;

/** The setters of single fields, by the function that changes the draft. */
const setters = new WeakMap<Change, Map<PropertyKey, (value: never) => void>>();

function setterOf(change: Change, key: PropertyKey): (value: never) => void {
  const own = setters.get(change) ?? new Map<PropertyKey, (value: never) => void>();
  setters.set(change, own);
  const setter = own.get(key) ?? ((value) => void change({ [key]: value } as never));
  own.set(key, setter);
  return setter;
}

/**
 * Returns what the controls of a draft's fields have in common: `<Select label="Legend" {...field("legend")} />`. For the
 * same `change`, `onChange` is the same function, so that a memoized control does not render.
 */
export function fieldsOf<Draft>(draft: Draft, change: (part: Partial<Draft>) => unknown) {
  return <Key extends keyof Draft>(key: Key) => ({
    value: draft[key],
    onChange: setterOf(change, key) as (value: Draft[Key]) => void,
  });
}
