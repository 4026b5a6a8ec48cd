// Numbers as Shopify's Liquid has them. An integer stays one (7 divided by 2 is 3) and is exact at any size; what has a
// point is a float, calculated in decimal so that 10.1 - 2.2 is 7.9, and printed with its point (2.0).

const MAX_DIGITS = 400; // of one number: the largest double has 309; more would only cost time
const TOO_LARGE = 'too large a number';
const QUOTIENT_DIGITS = 25; // significant digits of a division; a double keeps 17

/** units / 10^scale. */
interface Decimal {
  units: bigint;
  scale: number;
  isFloat: boolean;
}

/** What a JavaScript number cannot say: a float without a fraction (2.0), or an integer beyond 2^53. */
export class LiquidNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
  toJSON(): number {
    return Number(this.#text);
  }
  [Symbol.toPrimitive](hint: string): string | number {
    return hint === 'string' ? this.#text : Number(this.#text);
  }
  // The comparisons of Liquid: the library calls these five where a value has them.
  equals(other: unknown): boolean {
    return isNumeric(other) && compareNumbers(this, other) === 0;
  }
  gt(other: unknown): boolean {
    return Number(this) > (other as number);
  }
  geq(other: unknown): boolean {
    return Number(this) >= (other as number);
  }
  lt(other: unknown): boolean {
    return Number(this) < (other as number);
  }
  leq(other: unknown): boolean {
    return Number(this) <= (other as number);
  }
}

/** The value of a number as a template has it written: `7.0` is a float, `7` is not. */
export function numberLiteral(text: string): number | LiquidNumber {
  const value = Number(text);
  // What is too large fails where it is calculated with.
  return text.length > MAX_DIGITS || !Number.isFinite(value) ? value : toNumber(fromText(text));
}

/** The sum. */
export function plus(a: unknown, b: unknown): number | LiquidNumber {
  const [x, y, scale] = align(toDecimal(a), toDecimal(b));
  return toNumber({ units: x.units + y.units, scale, isFloat: x.isFloat || y.isFloat });
}

/** The difference. */
export function minus(a: unknown, b: unknown): number | LiquidNumber {
  const [x, y, scale] = align(toDecimal(a), toDecimal(b));
  return toNumber({ units: x.units - y.units, scale, isFloat: x.isFloat || y.isFloat });
}

/** The product. */
export function times(a: unknown, b: unknown): number | LiquidNumber {
  const [x, y] = [toDecimal(a), toDecimal(b)];
  return toNumber({ units: x.units * y.units, scale: x.scale + y.scale, isFloat: x.isFloat || y.isFloat });
}

/** Integers give an integer, rounded down. Throws for a divisor of 0, as `modulo` does. */
export function dividedBy(a: unknown, b: unknown): number | LiquidNumber {
  const [x, y] = align(toDecimal(a), nonZero(b));
  if (!x.isFloat && !y.isFloat) return toNumber({ ...x, units: floorDivide(x.units, y.units) });
  const scale = Math.max(QUOTIENT_DIGITS + digitsOf(y.units) - digitsOf(x.units), 0);
  return toNumber({ units: (x.units * 10n ** BigInt(scale)) / y.units, scale, isFloat: true });
}

/** The remainder has the sign of the divisor. */
export function modulo(a: unknown, b: unknown): number | LiquidNumber {
  const [x, y, scale] = align(toDecimal(a), nonZero(b));
  const units = x.units - y.units * floorDivide(x.units, y.units);
  return toNumber({ units, scale, isFloat: x.isFloat || y.isFloat });
}

/** The number without its sign. */
export function abs(value: unknown): number | LiquidNumber {
  const { units, ...rest } = toDecimal(value);
  return toNumber({ ...rest, units: units < 0n ? -units : units });
}

/** The largest integer that is not above it. */
export function floor(value: unknown): number | LiquidNumber {
  const { units, scale } = toDecimal(value);
  return toNumber({ units: floorDivide(units, 10n ** BigInt(scale)), scale: 0, isFloat: false });
}

/** The smallest integer that is not below it. */
export function ceil(value: unknown): number | LiquidNumber {
  const { units, scale } = toDecimal(value);
  return toNumber({ units: -floorDivide(-units, 10n ** BigInt(scale)), scale: 0, isFloat: false });
}

/** Halves are rounded away from zero. Without places behind the point, the result is an integer. */
export function round(value: unknown, places: unknown = 0): number | LiquidNumber {
  const { units, scale, isFloat } = toDecimal(value);
  const wanted = Math.trunc(Number(toNumber(toDecimal(places))));
  const keep = Math.min(Math.max(wanted, -MAX_DIGITS), scale);
  const step = 10n ** BigInt(scale - keep);
  const size = units < 0n ? -units : units;
  const rounded = ((size + step / 2n) / step) * step;
  return toNumber({ units: units < 0n ? -rounded : rounded, scale, isFloat: isFloat && wanted > 0 });
}

/** The larger of the two. */
export function atLeast(value: unknown, limit: unknown): number | LiquidNumber {
  return toNumber(toDecimal(compareNumbers(value, limit) < 0 ? limit : value));
}

/** The smaller of the two. */
export function atMost(value: unknown, limit: unknown): number | LiquidNumber {
  return toNumber(toDecimal(compareNumbers(value, limit) > 0 ? limit : value));
}

function isNumeric(value: unknown): value is number | LiquidNumber {
  return typeof value === 'number' || value instanceof LiquidNumber;
}

function compareNumbers(a: unknown, b: unknown): number {
  const [x, y] = align(toDecimal(a), toDecimal(b));
  return x.units < y.units ? -1 : x.units > y.units ? 1 : 0;
}

// What is no number counts as 0, and text up to its first character that is no digit, as in Ruby.
function toDecimal(value: unknown): Decimal {
  if (typeof value === 'number') return fromDouble(value);
  if (typeof value === 'string' || value instanceof LiquidNumber) return fromText(String(value).trim());
  return { units: 0n, scale: 0, isFloat: false };
}

function fromText(text: string): Decimal {
  if (/^[+-]?\d+\.\d+$/.test(text)) {
    const [whole = '', fraction = ''] = text.split('.');
    return { units: toUnits(whole + fraction), scale: fraction.length, isFloat: true };
  }
  const [whole = '0'] = /^[+-]?\d+/.exec(text) ?? [];
  return { units: toUnits(whole), scale: 0, isFloat: false };
}

// The shortest decimal that reads back as the same double is what was meant: 10.1, not 10.0999999999999996.
function fromDouble(value: number): Decimal {
  if (!Number.isFinite(value)) throw new RangeError(TOO_LARGE);
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction) * 10n ** BigInt(Math.max(-scale, 0));
  return { units, scale: Math.max(scale, 0), isFloat: !Number.isInteger(value) };
}

function toUnits(digits: string): bigint {
  if (digits.length > MAX_DIGITS) throw new RangeError(`a number has more than ${MAX_DIGITS} digits`);
  return BigInt(digits.replace('+', ''));
}

function toNumber({ units, scale, isFloat }: Decimal): number | LiquidNumber {
  const value = Number(`${units}e-${scale}`);
  if (!Number.isFinite(value)) throw new RangeError(TOO_LARGE);
  if (!isFloat && Number.isSafeInteger(value)) return value;
  if (!isFloat) return new LiquidNumber(String(units / 10n ** BigInt(scale)));
  return Number.isInteger(value) ? new LiquidNumber(`${fromDouble(value).units}.0`) : value;
}

function align(a: Decimal, b: Decimal): [Decimal, Decimal, number] {
  const scale = Math.max(a.scale, b.scale);
  const at = (one: Decimal) => ({ ...one, units: one.units * 10n ** BigInt(scale - one.scale), scale });
  return [at(a), at(b), scale];
}

function nonZero(value: unknown): Decimal {
  const decimal = toDecimal(value);
  if (decimal.units === 0n) throw new RangeError('divided by 0');
  return decimal;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function digitsOf(units: bigint): number {
  return String(units).length;
}
