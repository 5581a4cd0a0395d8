// Makes the CUDA runtime wrappers of warpseed::cuda visible in the device code of each module,
// warpseed::<module>::cuda.
#pragma once

namespace warpseed::cuda {}

namespace warpseed::deflate::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::text::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::simulate::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::sort::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::suffix::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::index::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::approximate::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::align::cuda {
using namespace warpseed::cuda;
}
namespace warpseed::overlap::cuda {
using namespace warpseed::cuda;
}
