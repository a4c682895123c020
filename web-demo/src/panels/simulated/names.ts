/** What the simulated nodes are called: names that no server can have (RFC 2606). Requests to them never leave this browser. */
export const FAULTY = 'http://simulated.invalid'
/** A second node of the same chain, without faults. */
export const HONEST = 'http://honest.invalid'
