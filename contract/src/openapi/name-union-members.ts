interface Schema {
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
}

type Schemas = Record<string, unknown>;

const PROPERTY = "type";
const OUTPUT = "Output";

/**
 * Gives the members of unions that differ in their `type` names of their own, and a discriminator. Without one, client
 * generators make types that have to be told apart by trying.
 */
export function nameUnionMembers(schemas: Schemas): void {
  // The unions of requests come first: a member that is the same in replies then has one name only.
  for (const name of Object.keys(schemas).toSorted()) {
    const { oneOf: members } = schemas[name] as Schema;
    const types = members?.map((member) => member.properties?.[PROPERTY]?.const);
    if (!members || !types?.every((type) => typeof type === "string")) continue;
    const mapping = Object.fromEntries(
      members.map((member, index) => [types[index], nameMember(schemas, name, String(types[index]), member)]),
    );
    const { oneOf: _, ...rest } = schemas[name] as Schema;
    const refs = Object.values(mapping).map(($ref) => ({ $ref }));
    schemas[name] = { ...rest, oneOf: refs, discriminator: { propertyName: PROPERTY, mapping } };
  }
}

function nameMember(schemas: Schemas, union: string, type: string, member: Schema): string {
  const base = union.endsWith(OUTPUT) ? union.slice(0, -OUTPUT.length) : union;
  const short = `${base}${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const isSame = JSON.stringify(schemas[short]) === JSON.stringify(member);
  const name = schemas[short] === undefined || isSame ? short : `${short}${OUTPUT}`;
  schemas[name] = member;
  return `#/components/schemas/${name}`;
}
