// This package's light client, in the calling thread: the specification's functions, and of its module what they stand on.

/** Nothing is loaded before it is asked for: a first verdict about blobs shall not wait for it. */
async function loadModule(kernel) {
  const [{ instances }, { lightClientFiles }] = await Promise.all([
    import('../../../dist/light-client/worker/module.js'),
    import('../../../dist/light-client/worker/files.js'),
  ])
  const { compileKernel } = await import('../../../dist/runtime/kernel/module.js')
  return instances.instantiate(kernel, await compileKernel(kernel, {}, lightClientFiles))
}

async function follow(kernel, { network, checkpoint, bootstrap, update, currentSlot }) {
  const { loadLightClientSpec } = await import('../../../dist/light-client/index.js')
  const spec = await loadLightClientSpec({ network, kernel })
  return [spec, spec.initializeLightClientStore(checkpoint, bootstrap), update, currentSlot]
}

export function lightClient(kernel) {
  const process = (module, spec, ...rest) => spec.processLightClientUpdate(...rest)
  /** A fresh instance knows no committee. */
  const forget = (module) => module.__wbg_reset_state()
  return {
    fastAggregateVerify: (module, ...args) => module.verifySyncAggregate(...args),
    syncCommitteeKeys(module, committee) {
      module.checkSyncCommittee(committee)
      return true
    },
    processLightClientUpdate: process,
    'processLightClientUpdate:newCommittee': process,
    before: { syncCommitteeKeys: forget, 'processLightClientUpdate:newCommittee': forget },
    prepare: {
      async fastAggregateVerify([, message, signature, bits, { keys, aggregate }]) {
        const module = await loadModule(kernel)
        const committee = Buffer.concat([...keys, aggregate])
        module.checkSyncCommittee(committee)
        return [module, committee, Buffer.concat([bits, signature]), message]
      },
      syncCommitteeKeys: async ([keys, aggregate]) => [
        await loadModule(kernel),
        Buffer.concat([...keys, aggregate]),
      ],
      async processLightClientUpdate([chain]) {
        const args = [await loadModule(kernel), ...(await follow(kernel, chain))]
        args[0].checkSyncCommittee(chain.committee)
        return args
      },
      'processLightClientUpdate:newCommittee': async ([chain]) => [
        await loadModule(kernel),
        ...(await follow(kernel, chain)),
      ],
    },
  }
}
