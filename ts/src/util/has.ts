/** Whether an object has a property of its own; `in` would also find what somebody has put on all objects. Tells the members of a union apart. */
export const has = <T extends object, Key extends string>(
  value: T,
  key: Key,
): value is Extract<T, { readonly [key in Key]: unknown }> => Object.hasOwn(value, key)
