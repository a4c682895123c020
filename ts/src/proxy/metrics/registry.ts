/** Counters, gauges and histograms in Prometheus' text format (version 0.0.4). */

type Labels = Readonly<Record<string, string | number>>

/** Something that is written as lines of the format. */
interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  lines(): string[]
}

/** The metrics of a process, in the order in which they were made. */
export class Registry {
  readonly #metrics: Metric[] = []

  /** A number for each set of labels, which only grows. */
  counter(name: string, help: string): Counter {
    return this.#add(new Counter(name, help))
  }

  /** Numbers that are read when somebody asks: each with its labels. */
  gauge(name: string, help: string, read: () => Iterable<readonly [Labels, number]>): void {
    this.#add(new Gauge(name, help, 'gauge', read))
  }

  /** Numbers that only grow, and are counted elsewhere. */
  counted(name: string, help: string, read: () => Iterable<readonly [Labels, number]>): void {
    this.#add(new Gauge(name, help, 'counter', read))
  }

  /** How values are distributed, for each set of labels. `bounds`: ascending. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    return this.#add(new Histogram(name, help, bounds))
  }

  /** All of them as text. */
  text(): string {
    return this.#metrics
      .map((metric) => {
        const { name, help, type } = metric
        return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...metric.lines(), ''].join('\n')
      })
      .join('')
  }

  #add<M extends Metric>(metric: M): M {
    this.#metrics.push(metric)
    return metric
  }
}

/** A number for each set of labels, which only grows. */
export class Counter implements Metric {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #values = new Map<string, number>()

  constructor(name: string, help: string) {
    this.name = name
    this.help = help
  }

  add(labels: Labels, value = 1): void {
    const key = labelled(labels)
    this.#values.set(key, (this.#values.get(key) ?? 0) + value)
  }

  lines(): string[] {
    return Array.from(this.#values, ([labels, value]) => `${this.name}${labels} ${value}`)
  }
}

class Gauge implements Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly #read: () => Iterable<readonly [Labels, number]>

  constructor(
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    read: () => Iterable<readonly [Labels, number]>,
  ) {
    this.name = name
    this.help = help
    this.type = type
    this.#read = read
  }

  lines(): string[] {
    return Array.from(this.#read(), ([labels, value]) => `${this.name}${labelled(labels)} ${value}`)
  }
}

/** How values are distributed, for each set of labels. */
export class Histogram implements Metric {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>()

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name
    this.help = help
    this.#bounds = bounds
  }

  observe(labels: Labels, value: number): void {
    const key = labelled(labels)
    const series = this.#series.get(key) ?? { labels, counts: [...this.#bounds.map(() => 0), 0], sum: 0 }
    this.#series.set(key, series)
    const at = this.#bounds.findIndex((bound) => value <= bound)
    const bucket = at === -1 ? this.#bounds.length : at
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += value
  }

  lines(): string[] {
    return Array.from(this.#series.values()).flatMap(({ labels, counts, sum }) => {
      let total = 0
      // Each bucket has all that is in those before it.
      const buckets = counts.map((count, at) => {
        total += count
        const le = this.#bounds[at] ?? '+Inf'
        return `${this.name}_bucket${labelled({ ...labels, le })} ${total}`
      })
      return [
        ...buckets,
        `${this.name}_sum${labelled(labels)} ${sum}`,
        `${this.name}_count${labelled(labels)} ${total}`,
      ]
    })
  }
}

function labelled(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
